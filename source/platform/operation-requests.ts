import type { PublishedPort, Reading } from '../fleet/computers/computer.ts';
import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails, OperationRow } from '../fleet/operations/operation-row.ts';
import { addOperationRow, operationIds } from '../fleet/operations/operation-table.ts';
import { createFailure, PlatformError } from './decoding/platform-error.ts';
import type { Platform, RequestOptions } from './platform.ts';

export type Acceptance = { reading?: Reading; published?: PublishedPort };

type OperationRequest = (
	platform: Platform,
	spec: Omit<OperationSpec, keyof OperationDetails> & OperationDetails,
	options: RequestOptions,
) => Promise<Acceptance>;

const actionRequest: OperationRequest = async (platform, { operation, computer = '' }, options) => {
	await platform.sendAction(computer, operation, options);
	return {};
};

const specialRequests: Readonly<Record<string, OperationRequest>> = {
	async create(platform, { name, provider }, options) {
		const body = { ...(name && { name }), ...(provider && { provider }) };
		return { reading: await platform.createComputer(body, options) };
	},
	async update(platform, { computer = '', version }, options) {
		// Some platforms require the version to update to, and the others ignore it.
		const body = version === undefined ? {} : { version };
		const { hasStarted, message } = await platform.sendAction(computer, 'update', options, body);
		if (hasStarted !== false) return {};
		const why = message ?? 'the platform did not start the update';
		throw new PlatformError(createFailure('conflict', why));
	},
	async delete(platform, { computer = '' }, options) {
		await platform.deleteComputer(computer, options);
		return {};
	},
	async publish(platform, { computer = '', port = 0 }, options) {
		return { published: await platform.publishPort(computer, port, options) };
	},
	async unpublish(platform, { computer = '', port = 0 }, options) {
		await platform.unpublishPort(computer, port, options);
		return {};
	},
};

const requests = new Map<OperationId, OperationRequest>(
	operationIds().map(id => [id, specialRequests[id] ?? actionRequest]),
);

export function requestOf(operation: OperationId): OperationRequest {
	const request = requests.get(operation);
	// An own command that was removed must not be sent to the platform.
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
