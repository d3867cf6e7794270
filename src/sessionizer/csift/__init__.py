"""The search program: answers questions from transcripts, live or kept."""
