import { allPortsOf } from '../fleet/computer.ts';
import type { OperationId, OperationSpec } from '../fleet/operation.ts';
import { compareVersions } from '../fleet/version.ts';
import { failureOf, PlatformError } from '../platform/platform-error.ts';
import { allowanceInPhase } from './allowance.ts';
import type { OperationRow } from './operation-row.ts';
import { questionLines } from './question-lines.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** The one table of all operations. */
export const operationTable: Readonly<Record<OperationId, OperationRow>> = {
	create: {
		id: 'create',
		label: 'Create',
		verbInHelp: 'creates',
		doingLabel: 'Creating',
		doneLabel: 'created',
		help: 'create a computer',
		scope: 'create',
		confirmation: 'yes-no',
		isLossy: false,
		allowanceOf: () => ({ isAllowed: true }),
		questionLines: questionLines.create,
		async sendRequest(platform, { name, provider }, asking) {
			const wish = { ...(name && { name }), ...(provider && { provider }) };
			const reading = await platform.createComputer(wish, asking);
			return { computer: reading.id, reading };
		},
		isAlreadyHappening: () => false,
		graceMs: 0,
		overdueAfterMs: 5 * minuteMs,
	},
	start: {
		id: 'start',
		label: 'Start',
		verbInHelp: 'starts',
		doingLabel: 'Starting',
		doneLabel: 'started',
		help: 'start computers',
		scope: 'other',
		confirmation: 'yes-no',
		isLossy: false,
		allowanceOf: ({ phase }) => allowanceInPhase('start', phase),
		questionLines: questionLines.start,
		async sendRequest(platform, wish, asking) {
			await platform.startComputer(idOf(wish), asking);
			return {};
		},
		isAlreadyHappening: ({ phase }) => phase === 'active' || phase === 'starting',
		graceMs: 0,
		overdueAfterMs: minuteMs,
	},
	stop: {
		id: 'stop',
		label: 'Stop',
		verbInHelp: 'stops',
		doingLabel: 'Stopping',
		doneLabel: 'stopped',
		help: 'stop computers; files and processes are kept',
		scope: 'other',
		confirmation: 'yes-no',
		isLossy: true,
		allowanceOf: ({ phase }) => allowanceInPhase('stop', phase),
		questionLines: questionLines.stop,
		async sendRequest(platform, wish, asking) {
			await platform.stopComputer(idOf(wish), asking);
			return {};
		},
		isAlreadyHappening: ({ phase }) => phase === 'stopped' || phase === 'stopping',
		graceMs: 4 * secondMs,
		overdueAfterMs: minuteMs,
	},
	restart: {
		id: 'restart',
		label: 'Restart',
		verbInHelp: 'restarts',
		doingLabel: 'Restarting',
		doneLabel: 'restarted',
		help: 'restart computers; /workspace is kept',
		scope: 'other',
		confirmation: 'yes-no',
		isLossy: true,
		allowanceOf: ({ phase }) => allowanceInPhase('restart', phase),
		questionLines: questionLines.restart,
		async sendRequest(platform, wish, asking) {
			await platform.restartComputer(idOf(wish), asking);
			return {};
		},
		isAlreadyHappening: ({ phase }) => phase === 'restarting',
		graceMs: 0,
		overdueAfterMs: 90 * secondMs,
	},
	update: {
		id: 'update',
		label: 'Update',
		verbInHelp: 'updates',
		doingLabel: 'Updating',
		doneLabel: 'updated',
		help: 'update computers to the latest version; /workspace is kept',
		scope: 'other',
		confirmation: 'yes-no',
		isLossy: true,
		allowanceOf({ phase, reading: { version } }, latest) {
			const isNewest = version && latest !== undefined && compareVersions(version, latest) >= 0;
			if (!isNewest || phase === 'archived') return allowanceInPhase('update', phase);
			return { isAllowed: false, reason: `already on the latest version, ${version}` };
		},
		questionLines: questionLines.update,
		async sendRequest(platform, wish, asking) {
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
		graceMs: 0,
		overdueAfterMs: 5 * minuteMs,
	},
	publish: {
		id: 'publish',
		label: 'Publish',
		verbInHelp: 'publishes',
		doingLabel: 'Publishing',
		doneLabel: 'published',
		help: 'publish a port',
		scope: 'other',
		confirmation: 'yes-no',
		isLossy: false,
		allowanceOf: ({ phase }) => allowanceInPhase('publish', phase),
		questionLines: questionLines.publish,
		async sendRequest(platform, wish, asking) {
			return { published: await platform.publishPort(idOf(wish), portOf(wish), asking) };
		},
		isAlreadyHappening: ({ reading }, wish) =>
			allPortsOf(reading)?.some(({ port }) => port === wish.port) === true,
		graceMs: 0,
		overdueAfterMs: 30 * secondMs,
	},
	unpublish: {
		id: 'unpublish',
		label: 'Unpublish',
		verbInHelp: 'unpublishes',
		doingLabel: 'Unpublishing',
		doneLabel: 'unpublished',
		help: 'unpublish a port',
		scope: 'other',
		confirmation: 'yes-no',
		isLossy: false,
		allowanceOf: ({ phase, reading: { ports } }) =>
			ports?.length === 0
				? { isAllowed: false, reason: 'publishes no port' }
				: allowanceInPhase('unpublish', phase),
		questionLines: questionLines.unpublish,
		async sendRequest(platform, wish, asking) {
			await platform.unpublishPort(idOf(wish), portOf(wish), asking);
			return {};
		},
		isAlreadyHappening: ({ reading }, wish) =>
			allPortsOf(reading)?.every(({ port }) => port !== wish.port) === true,
		graceMs: 0,
		overdueAfterMs: 30 * secondMs,
	},
	delete: {
		id: 'delete',
		label: 'Delete',
		verbInHelp: 'deletes',
		doingLabel: 'Deleting',
		doneLabel: 'deleted',
		help: 'delete computers and all their data for good',
		scope: 'other',
		confirmation: 'typed-name',
		isLossy: true,
		allowanceOf: ({ phase }) => allowanceInPhase('delete', phase),
		questionLines: questionLines.delete,
		async sendRequest(platform, wish, asking) {
			await platform.deleteComputer(idOf(wish), asking);
			return {};
		},
		isAlreadyHappening: ({ phase, isMissing }) => phase === 'archived' || isMissing,
		graceMs: 5 * secondMs,
		overdueAfterMs: minuteMs,
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
