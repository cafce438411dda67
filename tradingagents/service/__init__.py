"""What runs for long and is reached from outside: tasks, workspace, kernel, servers and their clients."""
