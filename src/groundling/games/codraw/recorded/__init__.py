"""The published dialogs: reading, packing, splitting and statistics."""
