import { allPortsOf } from '../fleet/computer.ts';
import type { OperationId, OperationSpec } from '../fleet/operation.ts';
import { compareVersions } from '../fleet/version.ts';
import { failureOf, PlatformError } from '../platform/platform-error.ts';
import { allowanceIn } from './allowance.ts';
import type { OperationRow } from './operation-row.ts';
import { questionLines } from './question-lines.ts';

const second = 1000;
const minute = 60 * second;

/** The one table of all operations. */
export const operationTable: Readonly<Record<OperationId, OperationRow>> = {
	create: {
		id: 'create',
		label: 'Create',
		does: 'creates',
		doing: 'Creating',
		done: 'created',
		help: 'create a computer',
		scope: 'create',
		confirmation: 'yes-no',
		isLossy: false,
		allowed: () => ({ isAllowed: true }),
		lines: questionLines.create,
		async request(platform, { name, provider }, asking) {
			const wish = { ...(name && { name }), ...(provider && { provider }) };
			const reading = await platform.createComputer(wish, asking);
			return { computer: reading.id, reading };
		},
		isAlreadyHappening: () => false,
		grace: 0,
		limit: 5 * minute,
	},
	start: {
		id: 'start',
		label: 'Start',
		does: 'starts',
		doing: 'Starting',
		done: 'started',
		help: 'start computers',
		scope: 'other',
		confirmation: 'yes-no',
		isLossy: false,
		allowed: ({ phase }) => allowanceIn('start', phase),
		lines: questionLines.start,
		async request(platform, wish, asking) {
			await platform.startComputer(idOf(wish), asking);
			return {};
		},
		isAlreadyHappening: ({ phase }) => phase === 'active' || phase === 'starting',
		grace: 0,
		limit: minute,
	},
	stop: {
		id: 'stop',
		label: 'Stop',
		does: 'stops',
		doing: 'Stopping',
		done: 'stopped',
		help: 'stop computers; files and processes are kept',
		scope: 'other',
		confirmation: 'yes-no',
		isLossy: true,
		allowed: ({ phase }) => allowanceIn('stop', phase),
		lines: questionLines.stop,
		async request(platform, wish, asking) {
			await platform.stopComputer(idOf(wish), asking);
			return {};
		},
		isAlreadyHappening: ({ phase }) => phase === 'stopped' || phase === 'stopping',
		grace: 4 * second,
		limit: minute,
	},
	restart: {
		id: 'restart',
		label: 'Restart',
		does: 'restarts',
		doing: 'Restarting',
		done: 'restarted',
		help: 'restart computers; /workspace is kept',
		scope: 'other',
		confirmation: 'yes-no',
		isLossy: true,
		allowed: ({ phase }) => allowanceIn('restart', phase),
		lines: questionLines.restart,
		async request(platform, wish, asking) {
			await platform.restartComputer(idOf(wish), asking);
			return {};
		},
		isAlreadyHappening: ({ phase }) => phase === 'restarting',
		grace: 0,
		limit: 90 * second,
	},
	update: {
		id: 'update',
		label: 'Update',
		does: 'updates',
		doing: 'Updating',
		done: 'updated',
		help: 'update computers to the latest version; /workspace is kept',
		scope: 'other',
		confirmation: 'yes-no',
		isLossy: true,
		allowed({ phase, reading: { version } }, latest) {
			const isNewest = version && latest !== undefined && compareVersions(version, latest) >= 0;
			if (!isNewest || phase === 'archived') return allowanceIn('update', phase);
			return { isAllowed: false, reason: `already on the latest version, ${version}` };
		},
		lines: questionLines.update,
		async request(platform, wish, asking) {
			const { hasStarted, message } = await platform.updateComputer(
				idOf(wish),
				wish.version,
				asking,
			);
			if (hasStarted !== false) return {};
			throw new PlatformError(
				failureOf('conflict', message ?? 'the platform did not start the update'),
			);
		},
		isAlreadyHappening: ({ phase, reading: { version } }, wish) =>
			phase === 'updating' ||
			Boolean(version && wish.version && compareVersions(version, wish.version) >= 0),
		grace: 0,
		limit: 5 * minute,
	},
	publish: {
		id: 'publish',
		label: 'Publish',
		does: 'publishes',
		doing: 'Publishing',
		done: 'published',
		help: 'publish a port',
		scope: 'other',
		confirmation: 'yes-no',
		isLossy: false,
		allowed: ({ phase }) => allowanceIn('publish', phase),
		lines: questionLines.publish,
		async request(platform, wish, asking) {
			return { published: await platform.publishPort(idOf(wish), portOf(wish), asking) };
		},
		isAlreadyHappening: ({ reading }, wish) =>
			allPortsOf(reading)?.some(({ port }) => port === wish.port) === true,
		grace: 0,
		limit: 30 * second,
	},
	unpublish: {
		id: 'unpublish',
		label: 'Unpublish',
		does: 'unpublishes',
		doing: 'Unpublishing',
		done: 'unpublished',
		help: 'unpublish a port',
		scope: 'other',
		confirmation: 'yes-no',
		isLossy: false,
		allowed: ({ phase, reading: { ports } }) =>
			ports?.length === 0
				? { isAllowed: false, reason: 'publishes no port' }
				: allowanceIn('unpublish', phase),
		lines: questionLines.unpublish,
		async request(platform, wish, asking) {
			await platform.unpublishPort(idOf(wish), portOf(wish), asking);
			return {};
		},
		isAlreadyHappening: ({ reading }, wish) =>
			allPortsOf(reading)?.every(({ port }) => port !== wish.port) === true,
		grace: 0,
		limit: 30 * second,
	},
	delete: {
		id: 'delete',
		label: 'Delete',
		does: 'deletes',
		doing: 'Deleting',
		done: 'deleted',
		help: 'delete computers and all their data for good',
		scope: 'other',
		confirmation: 'typed-name',
		isLossy: true,
		allowed: ({ phase }) => allowanceIn('delete', phase),
		lines: questionLines.delete,
		async request(platform, wish, asking) {
			await platform.deleteComputer(idOf(wish), asking);
			return {};
		},
		isAlreadyHappening: ({ phase, isMissing }) => phase === 'archived' || isMissing,
		grace: 5 * second,
		limit: minute,
	},
};

function idOf({ operation, computer }: OperationSpec): string {
	if (computer === undefined) throw new Error(`${operation} needs a computer`);
	return computer;
}

function portOf({ operation, port }: OperationSpec): number {
	if (port === undefined) throw new Error(`${operation} needs a port`);
	return port;
}
