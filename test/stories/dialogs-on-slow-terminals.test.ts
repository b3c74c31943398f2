import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

const ignoredMilliseconds = 300;

type Dialog = {
	title: string;
	open: readonly string[];
	answer: readonly string[];
	/** Text that the screen shows once the dialog has accepted the answer. */
	accepted: string | RegExp;
};

const dialogs: readonly Dialog[] = [
	{ title: 'Restart atlas?', open: ['r'], answer: ['y'], accepted: 'Restarting atlas in 4 s' },
	{
		title: 'Delete atlas?',
		open: ['D'],
		answer: ['atlas', 'enter'],
		accepted: 'Deleting atlas in 4 s',
	},
	{
		title: 'Open a payment page?',
		open: ['2', 'o'],
		answer: ['y'],
		accepted: /https:\/\/|payment page/,
	},
];

async function openIdle() {
	const monitor = await openMonitor();
	await monitor.pass(4_000, 2_000);
	return monitor;
}

/** Expects that the dialog ignores keys until the terminal has drawn it, and for 300 ms afterwards. */
async function expectKeysIgnored(monitor: Monitor, { title, answer, accepted }: Dialog) {
	await monitor.press(...answer);
	monitor.clock.move(5_000);
	await monitor.press(...answer);
	await monitor.seeNo(title);
	monitor.device.endStall();
	await monitor.see(title);
	await monitor.press(...answer);
	monitor.clock.move(ignoredMilliseconds - 1);
	await monitor.press(...answer);
	await monitor.see(title);
	expect(monitor.operationRequests()).toEqual([]);
	monitor.clock.move(ignoredMilliseconds);
	await monitor.press(...answer);
	await monitor.seeNo(title);
	await monitor.see(accepted);
}

test.each(dialogs)(
	'the dialog $title is answered 300 ms after the terminal has drawn its first frame',
	async dialog => {
		const monitor = await openIdle();
		monitor.device.stall();
		await monitor.press(...dialog.open);
		await expectKeysIgnored(monitor, dialog);
	},
);

test.each(dialogs)(
	'the dialog $title is answered 300 ms after the terminal has drawn it again after a resize',
	async dialog => {
		const monitor = await openIdle();
		await monitor.press(...dialog.open);
		monitor.resize(25, 5);
		await monitor.see('crowsnest needs');
		monitor.device.stall();
		monitor.resize(120, 36);
		await expectKeysIgnored(monitor, dialog);
	},
);

test('the quit dialog is answered 300 ms after the terminal has drawn it', async () => {
	const monitor = await openIdle();
	await monitor.type('r');
	await monitor.answer('y');
	monitor.device.stall();
	await monitor.press('q');
	monitor.clock.move(5_000);
	await monitor.press('y');
	monitor.device.endStall();
	await monitor.see('Quit now?');
	monitor.clock.move(ignoredMilliseconds - 1);
	await monitor.press('y');
	expect(monitor.effects.endings).toEqual([]);
	monitor.clock.move(1);
	await monitor.press('y');
	expect(monitor.effects.endings).toEqual([{ kind: 'quit' }]);
});

test('the password field takes every letter, and is submitted 300 ms after the terminal has drawn it', async () => {
	const monitor = await openMonitor({
		asksForPassword: true,
		beforeFirstRequest: ({ session }) => session.watch.readNow(),
	});
	await monitor.see('Password:');
	monitor.resize(25, 5);
	await monitor.see('crowsnest needs');
	monitor.device.stall();
	monitor.resize(120, 36);
	await monitor.idle();
	await monitor.type('abc');
	monitor.device.endStall();
	await monitor.see('Password: •••');
	monitor.clock.move(ignoredMilliseconds - 1);
	await monitor.press('enter');
	await monitor.see('Password: •••');
	monitor.clock.move(1);
	await monitor.press('enter');
	await monitor.seeNo('Password: •••');
});
