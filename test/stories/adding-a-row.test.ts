import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { buildReplacements } from '../../replacements/plugins.js';
import { commands } from '../../source/cli/catalog.ts';
import { operationCommand } from '../../source/cli/commands/operations.ts';
import type { OperationRow } from '../../source/fleet/operations/operation-row.ts';
import { addOperation, operationRowOf } from '../../source/fleet/operations/operation-table.ts';
import { changeIn } from '../../source/journal/log-files.ts';
import { actions, operationAction } from '../../source/monitor/actions/table.ts';
import { createEndpoint } from '../../source/simulator/endpoints/endpoint.ts';
import { changeText } from '../../source/views/phrases/entry.ts';
import type * as Host from '../cli/host.ts';
import { changesOf, createOperateHost, startSimulator } from '../cli/host.ts';
import { openMonitor } from '../driver/monitor.ts';
import { openSpokenMonitor } from '../driver/spoken.ts';

// A field that only this test knows: the shelf on which a computer stands. These are all changes that it takes. A screen has its
// column and its order, a filter finds it, and the details and `--json` say it.

const root = join(import.meta.dirname, '../..');

const row = `
	shelf: {
		kind: 'label',
		names: { metadata: ['shelf'] },
		json: 'shelf on which it stands',
		label: 'Shelf',
		column: { title: 'SHELF', description: 'shelf', growth: { 13: 8 } },
		filter: {
			meaning: 'The shelf on which it stands.',
			hasFewValues: true,
			isSearched: 'inMonitor',
			order: { key: 'e', label: 'shelf' },
		},
	},
`;

const location = "location: pickItem(['eu-north', 'eu-west', 'us-east', 'ap-south'], place),";

/** The changes of each file: what is written before a text that it has. */
const changes: Readonly<Record<string, readonly (readonly [text: string, added: string])[]>> = {
	'fleet/computers/computer.ts': [
		['} as const satisfies Readonly<Record<string, ReadingRow>>;', row],
	],
	'simulator/world/simulated-computer.ts': [
		['readonly location: string;', 'readonly shelf: string;'],
	],
	'simulator/world/world.ts': [[location, "shelf: place < 0.5 ? 'upper' : 'lower',"]],
	'simulator/endpoints/routes-computers.ts': [
		["provider: 'opensandbox',", 'shelf: computer.shelf,'],
		['publicIp: address,', 'shelf: reading.shelf,'],
	],
};

const changed: Plugin = {
	name: 'changed',
	setup({ onLoad }) {
		onLoad({ filter: /\/source\/.*\.ts$/ }, ({ path }) => {
			const [, name = ''] = path.split('/source/');
			let contents = readFileSync(path, 'utf8');
			for (const [text, added] of changes[name] ?? []) {
				expect(contents).toContain(text);
				contents = contents.replace(text, `${added}\n${text}`);
			}
			return { contents, loader: 'ts' };
		});
		// The bundle has all files already.
		onLoad({ filter: /lazy-modules\.ts$/ }, () => ({
			contents: 'export const loadLazyModules = () => undefined;',
		}));
	},
};

async function changedHost(): Promise<typeof Host> {
	const outfile = join(root, 'node_modules/.source-module/added-field.mjs');
	await build({
		entryPoints: [join(root, 'test/cli/host.ts')],
		outfile,
		bundle: true,
		platform: 'node',
		format: 'esm',
		packages: 'external',
		plugins: [changed, buildReplacements()],
		define: { 'process.env.NODE_ENV': '"production"' },
		banner: {
			js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
		},
	});
	return import(outfile);
}

test('a field takes a row in the table and a value in the simulator: then it has a column, an order, a filter, a line in the details and a field in JSON', async () => {
	expect(Object.keys(changes).length).toBeLessThanOrEqual(4);
	const { createOperateHost, startSimulator } = await changedHost();
	const host = createOperateHost(await startSimulator({ computers: 7 }));
	const list = await host.run('list', '--columns', 'name,shelf', '--sort', 'shelf:desc');
	expect(list.out.match(/\S+/g)?.slice(0, 6)).toEqual([
		'NAME',
		'SHELF',
		...['atlas', 'upper', 'draco', 'upper'],
	]);
	const found = await host.run('list', '--filter', 'shelf:upp -shelf:low', '--json');
	const records: readonly Record<string, unknown>[] = JSON.parse(found.out);
	expect(records.map(({ name, shelf }) => `${name} ${shelf}`)).toEqual([
		'atlas upper',
		'draco upper',
		'eridanus upper',
		'fornax upper',
	]);
	expect((await host.run('show', 'borealis')).out).toMatch(/^Shelf +lower$/m);
	expect((await host.run('list', '--filter', 'shel:x')).err).toContain('Did you mean shelf?');
	const { out: help } = await host.run('list', '--help');
	expect(help.replace(/\s+/g, ' ')).toMatch(/location, shelf, seen/);
});

// Operations that only these tests know: a row, a request and a key. Nothing else in the program is changed.

const second = 1000;

const pauseRow: OperationRow = {
	label: 'Pause',
	verbInHelp: 'pauses',
	doingLabel: 'Pausing',
	doneLabel: 'paused',
	help: 'pause computers until they are started',
	commandName: 'pause',
	subject: 'computer',
	allowedFrom: ['active'],
	refusalReasons: { stopped: 'already paused' },
	goal: { reaches: 'phase', phase: 'stopped', intermediatePhase: 'stopping' },
	evidence: 'status',
	changes: true,
	endsProcesses: true,
	asks: 'wait',
	mayBeUnasked: false,
	needsLatestVersion: false,
	questionLines: () => ['Its memory is kept.'],
	scope: 'other',
	overdueAfterMs: 60 * second,
};

const pauseEndpoint = createEndpoint(
	'stop',
	'POST /v1/platform/sandbox/:id/pause',
	(request, { world }) => {
		const outcome = world.operate('stop', world.get(request.param('id')));
		return 'refused' in outcome ? outcome : { status: 200, json: { success: true } };
	},
);

const withPauseKey = () => ({
	endpoints: [pauseEndpoint],
	actions: [operationAction('pause', ['z']), ...actions],
});

test('the key of an operation that was added to the table asks the question, and the operation counts down, is sent once and is shown until it is done', async () => {
	onTestFinished(addOperation('pause', pauseRow));
	const monitor = await openMonitor({ ...withPauseKey(), size: [150, 36] });
	await monitor.see('z pause');
	await monitor.press('z').see('Pause atlas?', 'Its memory is kept.');
	await monitor.see('crowsnest pause atlas --yes');
	await monitor.answer('z', 'enter');
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.press('y').see(/atlas +\S Active .*Pausing in 4 s, Esc to cancel/);
	await monitor.pass(5 * second, second);
	expect(monitor.operationRequests()).toEqual(['POST /atlas/pause 200']);
	await monitor.see(/atlas +\S \w+ .*Pausing \ds/);
	await monitor.pass(20 * second, 5 * second).see('atlas: paused by you');
	await monitor.press('z').see('atlas: already paused');
	expect(monitor.operationRequests()).toEqual(['POST /atlas/pause 200']);
});

test('the subcommand of an operation that was added to the table sends the operation and prints its outcome as text and as JSON', async () => {
	onTestFinished(addOperation('pause', pauseRow));
	const simulator = await startSimulator({ computers: 7, endpoints: [pauseEndpoint] });
	const pause = operationCommand('pause');
	const host = createOperateHost(simulator, { commands: [...commands, pause] });
	const text = await host.run('pause', 'atlas', '--yes', '--wait');
	expect(text).toEqual({ code: 0, out: 'atlas: pausing\natlas: paused\n', err: '' });
	const json = await host.run('pause', 'gemini', '--yes', '--wait', '--json');
	expect(JSON.parse(json.out)).toMatchObject([
		{ name: 'gemini', operation: 'pause', result: 'done' },
	]);
	const log = await host.run('log', '--json');
	expect(JSON.parse(log.out)).toContainEqual(
		expect.objectContaining({
			operation: 'pause',
			to: 'settled',
			message: expect.stringMatching(/^atlas: paused by you$/),
		}),
	);
	expect(changesOf(simulator)).toHaveLength(2);
});

test('the spoken monitor says the question, the countdown and the outcome of an operation that was added to the table', async () => {
	onTestFinished(addOperation('pause', pauseRow));
	const monitor = await openSpokenMonitor(withPauseKey());
	await monitor.press('z').hear('Pause atlas?', 'Its memory is kept.');
	await monitor.answer('y');
	monitor.clock.move(100);
	await monitor.hear('atlas: Pausing in 4');
	await monitor.pass(30 * second, 3 * second).hear('atlas: paused');
});

test('a version of crowsnest without the added operation shows its id, and accepts the operation for no computer', async () => {
	const wish = { key: 'k', operation: 'pause', computer: 'sb_1', name: 'atlas' };
	const what = { type: 'operationMoved', at: 1, wish, to: 'settled', took: 0 };
	const change = changeIn(JSON.stringify({ version: 1, account: 'a', what }), 'a');
	expect(change && changeText(change)).toBe('atlas: processed with pause by you');
	const monitor = await openMonitor(withPauseKey());
	await monitor.press('z').see('Cannot pause atlas: already running');
});

test('an operation that no read shows is done when the platform has accepted it, also on a stopped computer', async () => {
	const polish = addOperation('polish', {
		...operationRowOf('restart'),
		label: 'Polish',
		verbInHelp: 'polishes',
		doingLabel: 'Polishing',
		doneLabel: 'polished',
		help: 'polish computers',
		key: 'z',
		commandName: 'polish',
		allowedFrom: ['active', 'stopped'],
		goal: { reaches: 'accepted' },
		endsProcesses: false,
		questionLines: () => ['The polish lasts for a week.'],
	});
	onTestFinished(polish);
	const endpoint = createEndpoint(
		'stop',
		'POST /v1/platform/sandbox/:id/polish',
		(request, { world }) => ({
			status: 200,
			json: { success: true, id: world.get(request.param('id')).id },
		}),
	);
	const monitor = await openMonitor({
		endpoints: [endpoint],
		actions: [operationAction('polish', ['z']), ...actions],
	});
	for (const name of ['atlas', 'cygnus']) {
		await monitor.goTo(name);
		await monitor.press('z').see(`Polish ${name}?`);
		await monitor.answer('y');
		await monitor.pass(5_000, 1_000).see(`${name}: polished by you`);
	}
	expect(monitor.operationRequests()).toEqual([
		'POST /atlas/polish 200',
		'POST /cygnus/polish 200',
	]);
});
