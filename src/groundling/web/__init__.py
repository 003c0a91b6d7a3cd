"""The web server on which people play in a browser: rooms, their store and the pages."""
