"""The Teller that needs nothing learned: it says in plain English what is in its scene, looks at the canvas,
and mends."""
