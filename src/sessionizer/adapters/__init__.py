"""Adapters carry one coding agent's files into the landing zone."""
