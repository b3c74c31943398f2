// Stands in for the whole program in tests of the terminal alone: `--mouse` and `--reports FOLDER`.
import { Box, render, Text, useWindowSize } from 'ink';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
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

// As in the monitor, React draws the change of a store at once.
const store = createStore(() => ({ current: 0, top: 0, typed: '' }));

/** A table that a person can scroll. */
function Fleet() {
	const { columns, rows } = useWindowSize();
	const { current, top, typed } = useStore(store);

	return (
		<Box flexDirection="column" height={rows} overflow="hidden">
			<Text wrap="truncate">{' crowsnest  owner@example.com'}</Text>
			<Text wrap="truncate">{` ${names.length} computers  typed ${typed}`}</Text>
			<Text dimColor>{'─'.repeat(columns)}</Text>
			<Text bold wrap="truncate">
				{'   NAME              STATUS'}
			</Text>
			{names.slice(top, top + heightOf(rows)).map((name, at) => (
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

/** How many names there is room for. */
const heightOf = (rows: number) => Math.max(1, rows - 6);

function move(by: number) {
	const height = heightOf(terminal.stdout.rows);
	store.setState(view => {
		const current = Math.max(0, Math.min(names.length - 1, view.current + by));
		return { current, top: Math.min(current, Math.max(view.top, current - height + 1)) };
	});
}

function onKey(key: string) {
	if (key === 'j' || key === 'down') return move(1);
	if (key === 'k') return move(-1);
	if (key === 'g') return move(-names.length);
	if (key === 'pagedown') return move(heightOf(terminal.stdout.rows));
	if (key.length === 1) store.setState(({ typed }) => ({ typed: typed + key }));
	if (key === 'ctrl-z') terminal.suspend();
	else if (key === 'ctrl-l') terminal.redraw();
	else if (key === 'q' || key === 'ctrl-c') void terminal.end({ kind: 'quit' });
	else if (key === 'E')
		setTimeout(() => {
			throw new Error('thrown on purpose');
		});
	else if (key === 'W') terminal.stderr.write('written beside the screen\n');
	else if (key === 'H') terminal.setTitle(handovers.join(' '));
}

terminal.open();
terminal.setTitle(`crowsnest: ${names.length}`);
const handovers: string[] = [];
terminal.onSuspend(() => handovers.push('suspended'));
terminal.onResume(() => handovers.push('resumed'));
terminal.onInput(input => 'key' in input && onKey(input.key));
const ink = render(<Fleet />, {
	stdin: silentInput,
	stdout: terminal.stdout,
	stderr: terminal.stderr,
	exitOnCtrlC: false,
	patchConsole: false,
	maxFps: 120,
});
if (process.env['CROWSNEST_IDLE_MARKS'] === '1') terminal.markWhenIdle(ink.waitUntilRenderFlush);
