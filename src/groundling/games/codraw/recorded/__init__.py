"""What people did: the published dialogs, read, packed, split and counted."""
