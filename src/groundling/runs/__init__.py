"""Many episodes: what is planned, the log that nothing acknowledged is lost from, and going on where it
stopped."""
