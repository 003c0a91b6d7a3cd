"""People play in a browser: rooms, their store, the server and its pages."""
