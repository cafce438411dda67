"""How files are opened: private in a home, regular ones only where a user names them, SQLite by its durability."""
