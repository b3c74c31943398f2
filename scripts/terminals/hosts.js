// The terminals in which the program is tested, each with a shell. A row says how to open the terminal, type into it,
// and read its screen.
import { execFileSync, spawn as spawnChild } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';

/** Runs a command in a terminal emulator. */
export function openEmulator(command, arguments_, { columns, rows, env, cwd }) {
	const pty = spawn(command, arguments_, { cols: columns, rows, env, cwd });
	const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
	let isOver = false;
	terminal.onData(data => isOver || pty.write(data));
	pty.onData(data => terminal.write(data));
	pty.onExit(() => {
		isOver = true;
	});
	return {
		pid: pty.pid,
		type: keys => isOver || pty.write(keys),
		async text() {
			const { active } = terminal.buffer;
			return Array.from({ length: terminal.rows }, (_, y) =>
				active
					.getLine(active.baseY + y)
					?.translateToString(true)
					.trimEnd(),
			).join('\n');
		},
		resize(columns, rows) {
			pty.resize(columns, rows);
			terminal.resize(columns, rows);
		},
		close: () => isOver || pty.kill('SIGKILL'),
	};
}

function openTmux(setting) {
	const name = `crowsnest-${process.pid}`;
	const file = join(setting.cwd, 'tmux.conf');
	writeFileSync(file, 'set -g default-terminal tmux-256color\nset -g status off\n');
	const tmux = ['-L', name, '-u', '-f', file];
	const run = (...arguments_) =>
		execFileSync('tmux', [...tmux, ...arguments_], { stdio: 'pipe', env: setting.env });
	const open = openEmulator(
		'tmux',
		[...tmux, 'new-session', '-s', 'one', '/bin/sh', '-i'],
		setting,
	);
	return {
		...open,
		async reattach(size) {
			run('detach-client', '-s', 'one');
			await sleep(500);
			open.close();
			return openEmulator('tmux', [...tmux, 'attach'], { ...setting, ...size });
		},
		end: () => run('kill-server'),
	};
}

function openScreen(setting) {
	const name = `crowsnest-${process.pid}`;
	const file = join(setting.cwd, 'screenrc');
	writeFileSync(file, 'startup_message off\ndefutf8 on\naltscreen on\nterm screen-256color\n');
	const env = { ...setting.env, SCREENDIR: join(setting.cwd, 'screens') };
	execFileSync('mkdir', ['-m', '700', '-p', env.SCREENDIR]);
	const inScreen = { ...setting, env };
	const run = (...arguments_) => execFileSync('screen', ['-S', name, ...arguments_], { env });
	const open = openEmulator('screen', ['-U', '-c', file, '-S', name, '/bin/sh', '-i'], inScreen);
	return {
		...open,
		async reattach(size) {
			run('-d');
			await sleep(500);
			open.close();
			return openEmulator('screen', ['-U', '-r', name], { ...inScreen, ...size });
		},
		end: () => run('-X', 'quit'),
	};
}

async function openXterm(setting) {
	const { columns, rows, env, cwd } = setting;
	const [display, page, address] = [
		`:${90 + (process.pid % 100)}`,
		join(cwd, 'page'),
		join(cwd, 'bridge'),
	];
	const server = spawnChild('Xvfb', [display, '-screen', '0', '2000x1200x24'], { stdio: 'ignore' });
	await sleep(1500);
	const bridge = fileURLToPath(new URL('bridge.js', import.meta.url));
	const resources = [
		`*printerCommand: cat > ${page}.new; mv ${page}.new ${page}`,
		'*printAttributes: 0',
		'*allowWindowOps: true',
	];
	const xterm = spawnChild(
		'xterm',
		[
			...['-u8', '-geometry', `${columns}x${rows}`, '-fn', '6x13'],
			...resources.flatMap(line => ['-xrm', `XTerm${line}`]),
			...['-e', process.execPath, bridge, address],
		],
		{ cwd, env: { ...env, DISPLAY: display }, stdio: 'ignore' },
	);
	while (!existsSync(address)) await sleep(50);
	const socket = connect(address);
	socket.on('error', () => {});
	const send = message => socket.write(`${JSON.stringify(message)}\n`);
	return {
		pid: xterm.pid,
		type: keys => send({ keys }),
		resize: (...size) => send({ size }),
		async text() {
			rmSync(page, { force: true });
			send({ isPrint: true });
			const until = performance.now() + 3000;
			while (!existsSync(page) && performance.now() < until) await sleep(20);
			const printed = existsSync(page) ? readFileSync(page, 'utf8') : '';
			return printed
				.replace(/\r|\f/g, '')
				.split('\n')
				.map(line => line.trimEnd())
				.join('\n');
		},
		close() {
			xterm.kill('SIGKILL');
			server.kill('SIGTERM');
		},
		end: () => xterm.kill('SIGTERM'),
	};
}

export const hosts = { tmux: openTmux, screen: openScreen, xterm: openXterm };

export function isInstalled(name) {
	const needed = name === 'xterm' ? ['xterm', 'Xvfb'] : [name];
	return needed.every(each =>
		(process.env.PATH ?? '').split(':').some(folder => existsSync(join(folder, each))),
	);
}
