import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

test('Enter shows the details, where the cursor keys still move between computers and “/” opens the filter of the fleet, and Esc goes back', async () => {
	const monitor = await openMonitor();
	await monitor.press('enter').see(monitor.simulator.world.get('atlas').id, 'Created ', '/v1/p/');
	await monitor.press('j').see(monitor.simulator.world.get('borealis').id);
	await monitor.press('escape').see('UPTIME');
	await monitor.press('2', 'shift-tab').see('UPTIME');
	await monitor.press('g', 'enter').see('Provider');
	await monitor.type('/borealis').seeNo('Restart');
	await monitor.press('enter').see('/borealis  1 of 7');
	await monitor.press('2', '/', 'ctrl-u', 'gemini', 'enter').see('/gemini  1 of 7');
	await monitor.seeNo('Provider');
});

test('an empty log says that nothing has happened only after the list was read', async () => {
	const waiting = await openMonitor({ faults: [{ target: 'list', kind: 'hang' }] });
	await waiting.press('5').see('Reading the list of computers');
	await waiting.seeNo('Nothing has happened yet', '0 lines');
	await waiting.press('/', 'draco').seeNo('No log line matches');
	const failing = await openMonitor({ faults: [{ target: 'list', kind: '503' }] });
	await failing.press('5').see('The service is being maintained');
	await failing.seeNo('Nothing has happened yet');
	const empty = await openMonitor({ computers: 0 });
	await empty.press('5').see('Nothing has happened yet.', '0 lines');
});

test('starting billing is offered only if the platform has answered that there is no plan', async () => {
	const failing = await openMonitor({ faults: [{ target: 'subscription', kind: 'proxy-page' }] });
	await failing.press('2');
	await failing.pass(5_000);
	await failing.see('Starting billing is offered once the plan is read: it may have started.');
	await failing.seeNo('b start billing');
	await failing.press('b').see('Billing may have started already: the plan is not read yet.');
	const fresh = await openMonitor({ shapes: { subscription: 'null' } });
	await fresh.press('2').see('none; billing is not set up', 'b start billing');
});

test('a payment page opens only after a question, not while the monitor is locked, and its address can be copied', async () => {
	const monitor = await openMonitor({ size: [120, 50] });
	await monitor.press('L', '2', 'o').see('y unlocks · n cancels');
	await monitor.answer('n', 'o').see('y unlocks · n cancels');
	await monitor.answer('y', 'o').see('Nothing is paid until you pay there.');
	await monitor.see('crowsnest checkout --yes');
	expect(monitor.simulator.requests.some(({ path }) => path.endsWith('/checkout'))).toBe(false);
	await monitor.answer('c');
	expect(monitor.effects.copied.shift()).toBe('crowsnest checkout --yes');
	await monitor.press('y').see('y copies the address', /http:\/\/127\.0\.0\.1:\d+\/pay/);
	await monitor.press('y');
	expect(monitor.effects.copied[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
	await monitor.see('Copied the address of the payment page');
	await monitor.seeNo('start billing');
	await monitor.press('b').see('Billing has started already: the plan is Pro');
	await monitor.seeNo('Start billing?');
	await monitor.press('escape').seeNo('Payment page');
	await monitor.see('AUTO-SLEEP');
});

test('an update of all, which the palette opens in its view, also starts those that are stopped if the person chooses it with the key that the question shows', async () => {
	const monitor = await openMonitor();
	const { world, requests } = monitor.simulator;
	const sent = () =>
		requests
			.filter(({ method, scope }) => method === 'POST' && scope !== 'auth')
			.map(({ path }) => path.split('/').slice(-2))
			.map(([id = '', verb]) => `${verb} ${world.find(id)?.name}`);
	await monitor.see('fornax');
	await monitor.press(':', 'all that are behind', 'enter').see('Versions', 'Update fornax?');
	await monitor.see('Skipped cygnus: stopped, must be started first');
	await monitor.see('Tab also starts and updates those that are stopped.');
	await monitor.press('tab').see('Update 2 computers?');
	await monitor.see('Starts 1 of them (cygnus) first. It stays on afterwards.');
	await monitor.see('crowsnest start cygnus --wait --yes && crowsnest update fornax cygnus');
	await monitor.press('tab').see('Update fornax?');
	await monitor.press('tab', 'y');
	expect(sent()).toEqual([]);
	await monitor.answer('y');
	await monitor.press('1').see(/cygnus .*Starting in 4 s/);
	await monitor.pass(5_000, 5_000);
	expect(sent().toSorted()).toEqual(['start cygnus', 'update fornax']);
	await monitor.pass(120_000, 5_000);
	expect(sent()).toContain('update cygnus');
	expect(sent()).toHaveLength(3);
	expect(world.get('cygnus')).toMatchObject({ version: world.get('atlas').version });
});

test('an update that waits for its start is dropped with it', async () => {
	const monitor = await openMonitor();
	await monitor.confirm('4', 'u', 'tab');
	await monitor.press('1', 'q').see(/Quitting cancels:/, 'start cygnus', 'update cygnus');
	await monitor.answer('n');
	await monitor.press('escape');
	await monitor.pass(60_000, 5_000);
	expect(monitor.operationRequests()).toEqual([]);
	expect([
		...(monitor.session.store.getState().accounts.get('test')?.operations.values() ?? []),
	]).toEqual([]);
});

test('Enter on a version shows the computers that run it', async () => {
	const monitor = await openMonitor({ shapes: { list: 'minimal' } });
	const version = monitor.simulator.world.get('fornax').version;
	await monitor.press('4').see(/❯ \d/);
	const isUnderCursor = () => monitor.text().includes(`\n❯ ${version} `);
	for (let steps = 0; !isUnderCursor() && steps < 5; steps += 1) await monitor.press('j');
	await monitor.press('enter').see(`/version:${version}`, 'fornax');
	await monitor.seeNo('atlas');
});

test('the log sums up operations, opens batches and computers, operates on the computer under its cursor, and can show only failures', async () => {
	const monitor = await openMonitor({ shapes: { list: 'minimal' } });
	await monitor.confirm('/', 'status:active', 'enter', 'a', 'r');
	await monitor.pass(35_000, 5_000);
	monitor.simulator.world.fail('atlas', 'it broke');
	monitor.simulator.world.add({ name: 'newcomer' });
	await monitor.pass(20_000);
	await monitor.press('escape', '5').see('newcomer is new');
	const batch = () => monitor.lines().find(line => line.includes('you restarted 3 computers'));
	expect(batch()).toMatch(/in \d+ s ▸/);
	await monitor.press('/', 'kind:restart', 'enter', 'enter');
	expect(batch()).toMatch(/^❯.* ▾/);
	await monitor.see(/gemini: restarted by you in \d+ s/);
	await monitor.press('escape', 'e').see('1 line', /❯.*atlas: active for .* → error: it broke/);
	await monitor.see('Log  failures only', 'e all');
	await monitor.press('enter').see(monitor.simulator.world.get('atlas').id);
	await monitor.press('escape').see(/❯.*atlas: active for .* → error/);
	await monitor.press(':', 'restart comp').see(/❯ Restart computers.* atlas +│/);
	await monitor.press('enter').see('Restart atlas?', /❯.*atlas: active for .* → error/);
	await monitor.answer('n');
	await monitor.press('e').see('newcomer is new', 'e failures');
	await monitor.press('/', 'kind:re', 'tab').see('/kind:restart');
	await monitor.press('space', 'status:error', 'escape', '/', 'gemini kind:re', 'tab');
	await monitor.see('/gemini kind:restart');
	await monitor.press('space', 'status:error', 'enter');
	await monitor.see(/kind:restart status:error.*No field “status”. Known: who, kind/);
});

test('the line of messages does not repeat the newest lines of the log, unless they are out of sight', async () => {
	const monitor = await openMonitor({ computers: 40, size: [80, 16] });
	for (const name of ['atlas', 'gemini', 'hydra']) monitor.simulator.world.fail(name);
	const message = () => monitor.lines().at(-2) ?? '';
	await monitor.passUntil(() => / error/.test(message()), 30_000, 1_000);
	expect(message()).toMatch(/(atlas|gemini|hydra).* error/);
	await monitor.press('5').see(/❯ .* error/);
	expect(message().trim()).toBe('');
	await monitor.press('/', 'kind:stop').see('No log line matches');
	expect(message()).toMatch(/(atlas|gemini|hydra).* error/);
});

test('“R” reads the models again in the models view only', async () => {
	const monitor = await openMonitor();
	await monitor.see('7 computers');
	const requestCount = () =>
		monitor.simulator.requests.filter(({ path }) => path.endsWith('/models')).length;
	await monitor.press('R', '3').see('CONTEXT');
	expect(requestCount()).toBe(1);
	await monitor.press('R');
	await monitor.pass(1000);
	expect(requestCount()).toBe(2);
});

test.each([
	{ place: 'the help', keys: ['?', 'pagedown', 'j'] },
	{ place: 'the end of the help', keys: ['?', 'G'] },
	{ place: 'the models', keys: ['3', 'G', 'k'] },
])('in $place, the cursor stays in sight when the terminal becomes smaller', async ({ keys }) => {
	const monitor = await openMonitor({ isLivedIn: true });
	await monitor.pass(6_000);
	await monitor.press(...keys).see('❯');
	for (const [columns, rows] of [
		[80, 24],
		[60, 15],
		[44, 12],
	] as const) {
		monitor.resize(columns, rows);
		await monitor.see('❯');
	}
});

test('the log says of a night that nobody watched that it knows nothing of it, and shows the night that goes on before eight in the morning', async () => {
	const monitor = await openMonitor();
	await monitor.press('5', 'n').see('The log has nothing of last night. Esc clears the filter.');
	await monitor.press('e').see('Log  last night, Fri 20:00 to 08:00  failures only');
	await monitor.see('The log has no failure of last night. Esc clears the filter.');
	await monitor.press('e', 'n').see('e failures  n last night');
	monitor.clock.jump(17 * 3_600_000);
	await monitor.pass(1000);
	await monitor.press('n').see('Log  tonight, since Sat 20:00');
});

test('the choice of columns hides and shows columns at once, and can be reset', async () => {
	const monitor = await openMonitor();
	await monitor.press('C').see('[x] STAGE');
	await monitor.press('j', 'j', 'space').see('[ ] STAGE');
	await monitor.press('escape');
	const titles = () => monitor.lines().find(line => line.includes('NAME')) ?? '';
	expect(titles()).not.toContain('STAGE');
	await monitor.press(':', 'choose the columns', 'enter', 'G').see('[ ] STAGE');
	await monitor.press('u', 'C');
	expect(titles()).toMatch(/NAME.*STATUS +STAGE +CPU/);
});

test('the details show the saved history of a computer after the cursor has rested on its row', async () => {
	const hour = 3_600_000;
	const loadedIds: string[] = [];
	const monitor = await openMonitor({
		savedHistory(id) {
			loadedIds.push(id);
			const at = monitor.clock.now() - 20 * hour;
			const change = { type: 'statusChanged', at, notBefore: at, id, name: 'atlas' } as const;
			return [
				{ ...change, from: 'active', to: 'stopped', reason: 'asleep' },
				{ ...change, at: at + hour, notBefore: at + hour, from: 'stopped', to: 'active' },
			];
		},
	});
	await monitor.see('atlas');
	await monitor.press('enter').see('/v1/p/');
	await monitor.seeNo('asleep');
	await monitor.press('j');
	monitor.clock.move(200);
	await monitor.press('k');
	monitor.clock.move(300);
	await monitor.see('stopped (asleep)');
	expect(loadedIds).toEqual([monitor.simulator.world.get('atlas').id]);
});

/** Holds j down on a screen of this width, and returns the computers whose records were read meanwhile and afterwards. */
async function holdDown(columns: number) {
	const monitor = await openMonitor({ computers: 24, size: [columns, 36] });
	await monitor.pass(20_000);
	const readSince = (count: number) =>
		monitor.simulator.requests
			.slice(count)
			.flatMap(({ method, path }) => (method === 'GET' ? (idIn(path) ?? []) : []));
	const idIn = (path: string) => /\/sandbox\/([^/?]+)$/.exec(path)?.[1];
	const before = monitor.simulator.requests.length;
	for (let key = 0; key < 12; key += 1) {
		await monitor.press('j');
		monitor.clock.move(80);
	}
	await monitor.idle();
	const whileHeld = readSince(before);
	const name = /❯ (\S+)/.exec(monitor.text())?.[1] ?? '';
	const rested = monitor.simulator.requests.length;
	await monitor.pass(3_000, 1_000);
	const afterwards = readSince(rested);
	return { monitor, whileHeld, afterwards, id: monitor.simulator.world.get(name).id };
}

test('on a wide screen the details stand beside the table, follow the cursor without a request for each row, and take the whole width between Enter and Esc', async () => {
	const narrow = await holdDown(120);
	const { monitor, whileHeld, afterwards, id } = await holdDown(240);
	expect(whileHeld.length).toBeLessThanOrEqual(narrow.whileHeld.length);
	expect(afterwards).toContain(id);
	await monitor.see(`Id ${id}`, 'NAME', /CPU .*Memory/);
	await monitor.press('enter').seeNo('NAME');
	await monitor.press('escape').see('NAME');
	monitor.resize(120, 36);
	await monitor.seeNo(/CPU .*Memory/);
});

async function openWelcome() {
	const signIns: string[] = [];
	const monitor = await openMonitor({
		isWelcoming: true,
		leaveToSignIn: () => signIns.push('signed in'),
	});
	await monitor.see('Welcome to crowsnest', '7 computers');
	return { ...monitor, signIns };
}

test('the welcome holds no order: a computer that fails behind it moves to the top', async () => {
	const monitor = await openMonitor({ isWelcoming: true, hasDefaultOrder: true });
	await monitor.see('Welcome to crowsnest', '7 computers');
	monitor.simulator.world.fail('gemini');
	await monitor.pass(60_000, 3_000);
	const names = monitor.text().match(/\w+(?= +✖ Error)/g);
	expect(names?.[0]).toBe('gemini');
	await monitor.see(/❯ draco/, 'Welcome to crowsnest');
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

test('Esc only closes the welcome, and “l” leaves the demo to sign in afterwards as well', async () => {
	const { press, see, seeNo, signIns } = await openWelcome();
	await press('escape');
	await seeNo('Welcome to crowsnest');
	await see(/❯ atlas/);
	await press('l');
	await seeNo('Already signed in');
	expect(signIns).toEqual(['signed in']);
});
