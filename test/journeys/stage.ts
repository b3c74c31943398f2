import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { Conditions } from '../../source/terminal/conditions.ts';
import type { Grid } from '../../source/terminal/grid.ts';
import { createHandover } from '../../source/terminal/handover.ts';
import type { Mouse } from '../../source/terminal/input.ts';
import type { Ending, Terminal } from '../../source/terminal/terminal.ts';
import { gridIn, gridText, styledGridText } from '../frame-text.ts';

export function createStageTerminal(
	[columns, rows]: readonly [number, number],
	wanted: Partial<Conditions> = {},
): Terminal & StageTerminal {
	const conditions: Conditions = {
		isFocused: true,
		isLowBandwidth: false,
		colours: 8,
		background: 'dark',
		hasUnicode: true,
		name: undefined,
		...wanted,
	};
	const input = Object.assign(new Readable({ read() {} }), {
		isTTY: true,
		setRawMode: () => input,
		ref: () => input,
		unref: () => input,
	});
	const { suspended, resumed, handover } = createHandover();
	const pointers = new Set<(mouse: Mouse) => void>();
	let last: Grid | undefined;
	const output = Object.assign(new EventEmitter(), {
		columns,
		rows,
		isTTY: true,
		writable: true,
		write(text: string, done?: () => void) {
			last = gridIn(text) ?? last;
			done?.();
			return true;
		},
	});
	const said: StageTerminal['said'] = {
		titles: [],
		copied: [],
		notified: [],
		bells: 0,
		endings: [],
	};
	return {
		stdin: input as unknown as NodeJS.ReadStream,
		stdout: output as unknown as NodeJS.WriteStream,
		stderr: output as unknown as NodeJS.WriteStream,
		open() {},
		end(ending) {
			said.endings.push(ending);
			return new Promise(() => {});
		},
		suspend: suspended,
		resume: resumed,
		...handover,
		redraw() {},
		setTitle: text => said.titles.push(text),
		bell() {
			said.bells += 1;
		},
		notify: text => said.notified.push(text),
		copy(text) {
			said.copied.push(text);
			return true;
		},
		conditions: () => conditions,
		onConditions: () => () => {},
		onMouse(call) {
			pointers.add(call);
			return () => {
				pointers.delete(call);
			};
		},
		point(kind, x, y) {
			for (const call of pointers) call({ kind, x, y });
		},
		said,
		frame: () => (last ? gridText(last) : ''),
		styledFrame: () => (last ? styledGridText(last) : ''),
		type: text => input.push(text),
		resize(nextColumns, nextRows) {
			Object.assign(output, { columns: nextColumns, rows: nextRows });
			output.emit('resize');
		},
	};
}

type StageTerminal = {
	said: {
		titles: string[];
		copied: string[];
		notified: string[];
		bells: number;
		endings: Ending[];
	};
	/** The last frame, without styles. */
	frame(): string;
	styledFrame(): string;
	type(text: string): void;
	point(kind: Mouse['kind'], x: number, y: number): void;
	resize(columns: number, rows: number): void;
	/** As fg does. */
	resume(): void;
};
