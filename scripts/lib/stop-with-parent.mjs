// Loaded into the server before its own code: should the script that started it be killed, the
// server stops in order instead of living on unseen with its port taken.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
