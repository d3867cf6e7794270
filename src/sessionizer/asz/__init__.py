"""The collector program: keeps, assembles and serves conversations."""
