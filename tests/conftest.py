"""Puts this folder on the path, so that tests share the toy game and the conformance kit."""

from __future__ import annotations
