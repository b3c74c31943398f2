import { afterEach, beforeEach, expect, test } from 'vitest';
import { operationRowOf } from '../../source/fleet/operations/operation-table.ts';
import { addOperation } from '../../source/platform/operation-requests.ts';
import { createEndpoint } from '../../source/simulator/endpoints/endpoint.ts';
import { actions, operationAction } from '../../source/views/actions/table.ts';
import { openMonitor } from '../driver/monitor.ts';

// An operation that is done when the platform has accepted it, and that no read shows.

const snapshotEndpoint = createEndpoint(
	'stop',
	'POST /v1/platform/sandbox/:id/snapshot',
	(request, { world }) => {
		const { id } = world.get(request.param('id'));
		return { status: 200, json: { success: true, id } };
	},
);

let removeSnapshot = () => {};
beforeEach(() => {
	removeSnapshot = addOperation('snapshot', {
		...operationRowOf('restart'),
		label: 'Snapshot',
		verbInHelp: 'snapshots',
		doingLabel: 'Snapshotting',
		doneLabel: 'snapshotted',
		help: 'take a snapshot of computers',
		key: 'z',
		commandName: 'snapshot',
		allowedFrom: ['active', 'stopped'],
		goal: { reaches: 'accepted' },
		endsProcesses: false,
		questionLines: () => ['The snapshot is kept for a week.'],
		shortConsequence: () => ['Is kept for a week.'],
	});
});
afterEach(() => removeSnapshot());

test('a snapshot is done when the platform has accepted it, also of a stopped computer', async () => {
	const monitor = await openMonitor({
		endpoints: [snapshotEndpoint],
		actions: [operationAction('snapshot', ['z']), ...actions],
	});
	for (const name of ['atlas', 'cygnus']) {
		await monitor.goTo(name);
		await monitor.press('z');
		await monitor.see(`Snapshot ${name}?`);
		await monitor.answer('y');
		await monitor.pass(5_000, 1_000);
		await monitor.see(`${name}: snapshotted by you`);
	}
	expect(monitor.operationRequests()).toEqual([
		'POST /atlas/snapshot 200',
		'POST /cygnus/snapshot 200',
	]);
});
