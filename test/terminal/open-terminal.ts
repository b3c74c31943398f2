import type { TerminalPreferences } from '../../source/terminal/features/environment.ts';
import { InkOutput } from '../../source/terminal/output/ink-output.ts';
import { createTerminal } from '../../source/terminal/terminal.ts';
import { createDevice, type DeviceOptions } from '../driver/device.ts';
import { createHeldClock } from '../held-clock.ts';

type Options = DeviceOptions & { hasMouse?: boolean; preferences?: TerminalPreferences };

/** Opens the program's terminal on an emulator, without a monitor and without a process of its own. */
export async function openTerminal(options: Options = {}) {
	const { hasMouse = false, preferences = {}, ...system } = options;
	const clock = createHeldClock();
	const device = createDevice([100, 24], clock, system);
	const terminal = createTerminal({
		program: device.program,
		clock: device.clock,
		hasMouse,
		preferences,
		crashReportFolder: '/nowhere',
		programInfo: 'the tests',
	});
	const keys: string[] = [];
	terminal.onInput(input => keys.push('key' in input ? input.key : `paste ${input.paste}`));
	terminal.open();

	/** Waits until the emulator has taken all output, and the program all replies. */
	async function settled() {
		do await new Promise(setImmediate);
		while (device.isDrawing());
	}
	await settled();

	/** Draws a frame, as Ink does. The terminal takes keys from the second turn after it. */
	async function draw(text: string) {
		const output = InkOutput({ width: 100, height: 1 });
		output.write(0, 0, text, { transformers: [] });
		terminal.stdout.write(`\u001B[2K${output.get().output}`);
		for (const _ of [1, 2, 3]) {
			await settled();
			clock.move(0);
		}
	}

	return {
		terminal,
		device,
		keys,
		clock,
		settled,
		draw,
		async send(text: string) {
			device.send(text);
			await settled();
		},
	};
}
