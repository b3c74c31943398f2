// Runs a shell in a terminal that cannot be controlled from outside. It types the text that it receives over a socket,
// and makes the terminal print its screen to a file.
import { createServer } from 'node:net';
import { spawn } from '@lydell/node-pty';

const [, , address] = process.argv;
const { stdin, stdout } = process;

const shell = spawn('/bin/sh', ['-i'], {
	cols: stdout.columns,
	rows: stdout.rows,
	env: process.env,
});
stdin.setRawMode(true);
stdin.on('data', data => shell.write(data));
shell.onData(data => stdout.write(data));
shell.onExit(() => process.exit());
stdout.on('resize', () => shell.resize(stdout.columns, stdout.rows));
process.on('SIGHUP', () => {
	shell.kill('SIGHUP');
	setTimeout(() => process.exit(), 100);
});

createServer(socket => {
	let text = '';
	socket.on('data', data => {
		text += data;
		const lines = text.split('\n');
		text = lines.pop();
		for (const line of lines) {
			const { keys, size, isPrint } = JSON.parse(line);
			if (keys) shell.write(keys);
			if (size) stdout.write(`\u001B[8;${size[1]};${size[0]}t`);
			if (isPrint) stdout.write('\u001B[i');
		}
	});
}).listen(address);
