"""The one hash function of kdmlog, BLAKE2b, without the wait for OpenSSL that ``hashlib`` loads."""

try:
    from _blake2 import blake2b
except ImportError:  # a Python that keeps it elsewhere
    from hashlib import blake2b

__all__ = ["blake2b"]
