"""The invented home behind `asz up --sample`: start reading at `home`, the rest are its parts."""
