"""CoDraw: rebuild a park scene of clip art that only your partner sees."""
