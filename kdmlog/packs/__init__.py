"""Content packs: YAML folders, checked to the line, kept as canonical JSON, read by rules."""
