"""What a made scene follows: what is usual in a park, where things are put, and how scenes compare with
people's."""
