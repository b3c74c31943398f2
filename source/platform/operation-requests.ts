import type { PublishedPort, Reading } from '../fleet/computers/computer.ts';
import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails, OperationRow } from '../fleet/operations/operation-row.ts';
import { addOperationRow, operationIds } from '../fleet/operations/operation-table.ts';
import { createFailure, PlatformError } from './decoding/platform-error.ts';
import type { RequestOptions } from './endpoints.ts';
import type { Platform } from './platform.ts';

export type Acceptance = { reading?: Reading; published?: PublishedPort };

type OperationRequest = (
	platform: Platform,
	spec: Omit<OperationSpec, keyof OperationDetails> & OperationDetails,
	options: RequestOptions,
) => Promise<Acceptance>;

const actionRequest: OperationRequest = async (platform, spec, options) => {
	await platform.sendAction(idOf(spec), spec.operation, options);
	return {};
};

const ownRequests: Readonly<Record<string, OperationRequest>> = {
	async create(platform, { name, provider }, options) {
		const body = { ...(name && { name }), ...(provider && { provider }) };
		return { reading: await platform.createComputer(body, options) };
	},
	async update(platform, spec, options) {
		// Some platforms require the version to update to, and the others ignore it.
		const body = spec.version === undefined ? {} : { version: spec.version };
		const { hasStarted, message } = await platform.sendAction(idOf(spec), 'update', options, body);
		if (hasStarted !== false) return {};
		throw new PlatformError(
			createFailure('conflict', message ?? 'the platform did not start the update'),
		);
	},
	async delete(platform, spec, options) {
		await platform.deleteComputer(idOf(spec), options);
		return {};
	},
	async publish(platform, spec, options) {
		return { published: await platform.publishPort(idOf(spec), portOf(spec), options) };
	},
	async unpublish(platform, spec, options) {
		await platform.unpublishPort(idOf(spec), portOf(spec), options);
		return {};
	},
};

const requests = new Map<string, OperationRequest>(
	operationIds().map(id => [id, ownRequests[id] ?? actionRequest]),
);

export function requestOf(operation: OperationId): OperationRequest {
	const request = requests.get(operation);
	// An operation of another version, or an own command that was removed, has no request.
	if (!request) throw new Error(`there is no request for ${operation}`);
	return request;
}

export function addOperation(
	id: OperationId,
	row: OperationRow,
	request: OperationRequest = actionRequest,
): () => void {
	const removeRow = addOperationRow(id, row);
	requests.set(id, request);
	return () => {
		removeRow();
		if (requests.get(id) === request) requests.delete(id);
	};
}

function idOf({ operation, computer }: Pick<OperationSpec, 'operation' | 'computer'>): string {
	if (computer === undefined) throw new Error(`${operation} needs a computer`);
	return computer;
}

function portOf({ operation, port }: Pick<OperationSpec, 'operation'> & OperationDetails): number {
	if (port === undefined) throw new Error(`${operation} needs a port`);
	return port;
}
