// Stands in for the whole program in tests of the terminal alone: `--mouse`, `--calm` and `--reports FOLDER`.
import { Box, render, Text, useWindowSize } from 'ink';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { TerminalInput } from '../../../source/terminal/process/life.ts';
import { createTerminal, silentInput } from '../../../source/terminal/terminal.ts';
import { liveClock } from '../live-clock.ts';

const words = process.argv;
const stars = ['atlas', 'borealis', 'cygnus', 'draco', 'eridanus', 'fornax', 'gemini', 'hydra'];
const names = Array.from(
	{ length: 1_000 },
	(_, at) => `${stars[at % stars.length]}-${String(at).padStart(4, '0')}`,
);

const terminal = createTerminal({
	program: Object.assign(process, { console }),
	clock: liveClock,
	hasMouse: words.includes('--mouse'),
	crashReportFolder: words[words.indexOf('--reports') + 1] ?? '',
	programInfo: 'stand-in 1.0.0',
	beforeExit: () => ink.unmount(),
});

/** A table that a person can scroll. Unless it is calm, its first line changes four times a second. */
function Fleet() {
	const { columns, rows } = useWindowSize();
	const height = Math.max(1, rows - 6);
	// As in the monitor, React draws the change of a store at once.
	const [store] = useState(() => createStore(() => ({ current: 0, top: 0, typed: '' })));
	const { current, top, typed } = useStore(store);
	const [tick, setTick] = useState(0);

	function move(by: number) {
		store.setState(view => {
			const next = Math.max(0, Math.min(names.length - 1, view.current + by));
			return { current: next, top: Math.min(next, Math.max(view.top, next - height + 1)) };
		});
	}

	useEffect(() => {
		if (words.includes('--calm')) return;
		const timer = setInterval(() => setTick(before => before + 1), 250);
		return () => clearInterval(timer);
	}, []);

	const receive = useEffectEvent((input: TerminalInput) => {
		const key = 'key' in input ? input.key : '';
		const moves: Readonly<Record<string, number>> = {
			j: 1,
			k: -1,
			down: 1,
			pagedown: height,
			g: -names.length,
		};
		const steps = moves[key];
		if (steps !== undefined) return move(steps);
		const text = 'key' in input ? (Array.from(key).length === 1 ? key : '') : input.paste;
		store.setState(({ typed }) => ({ typed: (typed + text).slice(-20) }));
		onKey(key);
	});
	// A key that comes right after the first picture must not be lost.
	useLayoutEffect(() => terminal.onInput(input => receive(input)), []);

	return (
		<Box flexDirection="column" height={rows} overflow="hidden">
			<Text wrap="truncate">{` crowsnest  owner@example.com  ${tick}`}</Text>
			<Text wrap="truncate">{` ${names.length} computers  typed ${typed}`}</Text>
			<Text dimColor>{'─'.repeat(columns)}</Text>
			<Text bold wrap="truncate">
				{'   NAME              STATUS'}
			</Text>
			{names.slice(top, top + height).map((name, at) => (
				<Text key={name} wrap="truncate" bold={top + at === current}>
					{` ${top + at === current ? '❯' : ' '} ${name.padEnd(16)}  \u001B[32m● Active\u001B[39m  ${name.repeat(5)}`}
				</Text>
			))}
			<Text dimColor>{'─'.repeat(columns)}</Text>
			<Text wrap="truncate">
				{
					' s start  x stop  r restart  u update  D delete  ␣ mark  / filter  : command  ? help  q quit'
				}
			</Text>
		</Box>
	);
}

function onKey(input: string) {
	if (input === 'ctrl-z') terminal.suspend();
	else if (input === 'ctrl-l') terminal.redraw();
	else if (input === 'q' || input === 'ctrl-c') void terminal.end({ kind: 'quit' });
	else if (input === 'E')
		setTimeout(() => {
			throw new Error('thrown on purpose');
		});
	else if (input === 'W') terminal.stderr.write('written beside the screen\n');
	else if (input === 'H') terminal.setTitle(handovers.join(' '));
}

terminal.open();
terminal.setTitle(`crowsnest: ${names.length}`);
const handovers: string[] = [];
terminal.onSuspend(() => handovers.push('suspended'));
terminal.onResume(() => handovers.push('resumed'));
const ink = render(<Fleet />, {
	stdin: silentInput,
	stdout: terminal.stdout,
	stderr: terminal.stderr,
	exitOnCtrlC: false,
	patchConsole: false,
	maxFps: 120,
});
if (process.env['CROWSNEST_IDLE_MARKS'] === '1') terminal.markWhenIdle(ink.waitUntilRenderFlush);
