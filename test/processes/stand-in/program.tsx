// Stands in for the whole program in tests of the terminal alone.
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { render } from 'ink';
import type { Clock } from '../../../source/foundation/clock.ts';
import { createTerminal, silentInput } from '../../../source/terminal/terminal.ts';
import { Fleet } from './Fleet.tsx';

const { values } = parseArgs({
	strict: false,
	options: {
		mouse: { type: 'boolean', default: false },
		calm: { type: 'boolean', default: false },
		reports: { type: 'string', default: tmpdir() },
	},
});

const clock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	after(milliseconds, call) {
		const timer = setTimeout(call, milliseconds);
		return () => clearTimeout(timer);
	},
};

const terminal = createTerminal({
	program: Object.assign(process, { console }),
	clock,
	hasMouse: values.mouse === true,
	crashReportFolder: String(values.reports),
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
const handovers: string[] = [];
terminal.onSuspend(() => handovers.push('suspended'));
terminal.onResume(() => handovers.push('resumed'));
const ink = render(
	<Fleet
		isCalm={values.calm === true}
		title={terminal.setTitle}
		onInput={terminal.onInput}
		onKey={onKey}
	/>,
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
