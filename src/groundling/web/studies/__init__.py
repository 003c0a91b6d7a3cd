"""Studies on the web server: participants' pages, the clock, and the rooms of their tasks."""
