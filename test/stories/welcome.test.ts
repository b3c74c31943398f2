import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

async function openWelcome() {
	const signIns: string[] = [];
	const monitor = await openMonitor({
		isWelcoming: true,
		leaveToSignIn: () => signIns.push('signed in'),
	});
	await monitor.see('Welcome to crowsnest');
	await monitor.see('7 computers');
	return { ...monitor, signIns };
}

test('the welcome says what each of its keys does, also on a small screen', async () => {
	const monitor = await openMonitor({ isWelcoming: true, size: [60, 15] });
	await monitor.see('l signs in · any other key closes this and acts');
	await monitor.see(/r restarts the computer under the cursor; it asks/);
});

test('the welcome holds no order: a computer that fails behind it moves to the top', async () => {
	const monitor = await openMonitor({ isWelcoming: true, hasDefaultOrder: true });
	await monitor.see('Welcome to crowsnest');
	await monitor.see('7 computers');
	monitor.simulator.world.fail('gemini');
	await monitor.pass(60_000, 3_000);
	const names = monitor.text().match(/\w+(?= +✖ Error)/g);
	expect(names?.[0]).toBe('gemini');
	await monitor.see(/❯ draco/);
	await monitor.see('Welcome to crowsnest');
});

test.each([
	['r', 'Restart atlas?'],
	['/', /^ *\/ *▏/m],
	['z', 'z does nothing here'],
])('the key %s closes the welcome and does what it does everywhere', async (key, sign) => {
	const { press, see, seeNo, signIns } = await openWelcome();
	await press(key);
	await see(sign);
	await seeNo('Welcome to crowsnest');
	expect(signIns).toEqual([]);
});

test('Esc only closes the welcome', async () => {
	const { press, see, seeNo } = await openWelcome();
	await press('escape');
	await seeNo('Welcome to crowsnest');
	await see(/❯ atlas/);
});

test('“l” leaves the demo to sign in, also after the welcome was closed', async () => {
	const { press, seeNo, signIns } = await openWelcome();
	await press('escape');
	await seeNo('Welcome to crowsnest');
	await press('l');
	await seeNo('Already signed in');
	expect(signIns).toEqual(['signed in']);
});
