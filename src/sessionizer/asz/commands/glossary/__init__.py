"""`asz glossary`."""
