// Stands in for the whole program in tests of the terminal alone: `--mouse`, `--calm` and `--reports FOLDER`.
import { render } from 'ink';
import { createTerminal, silentInput } from '../../../source/terminal/terminal.ts';
import { liveClock } from '../live-clock.ts';
import { Fleet, title } from './Fleet.tsx';

const words = process.argv;

const terminal = createTerminal({
	program: Object.assign(process, { console }),
	clock: liveClock,
	hasMouse: words.includes('--mouse'),
	crashReportFolder: words[words.indexOf('--reports') + 1] ?? '',
	programInfo: 'stand-in 1.0.0',
	beforeExit: () => ink.unmount(),
});

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
terminal.setTitle(title);
const handovers: string[] = [];
terminal.onSuspend(() => handovers.push('suspended'));
terminal.onResume(() => handovers.push('resumed'));
const ink = render(
	<Fleet isCalm={words.includes('--calm')} onInput={terminal.onInput} onKey={onKey} />,
	{
		stdin: silentInput,
		stdout: terminal.stdout,
		stderr: terminal.stderr,
		exitOnCtrlC: false,
		patchConsole: false,
		maxFps: 120,
	},
);
if (process.env['CROWSNEST_IDLE_MARKS'] === '1') terminal.markWhenIdle(ink.waitUntilRenderFlush);
