import type { CommandValues } from '../fleet/operations/own-command.ts';
import { lastPublishedPortOf } from '../store/change-log.ts';
import type { AccountState, ComputerState } from '../store/state.ts';

/** The account of the targets, and a function that finds the values for an own command. */
export type TargetSource = {
	account: string;
	state: AccountState;
	/** The name of the account's profile. */
	accountName: string;
	publicAddress: (id: string, port: number) => string;
};

/** Returns the values of a computer that an own command receives. */
export function valuesFrom(
	{ state, accountName, publicAddress }: TargetSource,
	{ id, reading }: ComputerState,
): CommandValues {
	const ports = reading.ports ?? [];
	const latest = lastPublishedPortOf(state, id);
	const port = ports.find(each => each.port === latest) ?? ports[0];
	return {
		id,
		name: reading.name || id,
		account: accountName,
		address: reading.address ?? '',
		url: port ? (port.url ?? publicAddress(id, port.port)) : '',
	};
}
