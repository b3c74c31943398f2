import type { AccountProfile } from '../../fleet/computers/account-profile.ts';
import { type OwnCommand, ownCommandId } from '../../fleet/operations/own-command.ts';
import type { Action } from '../scene.ts';
import type { AccountChoice } from '../table-accounts.ts';
import { signOut, toggleAccount } from './accounts.ts';
import { viewPlaces, worksIn } from './places.ts';
import { at, liveOnly, signOutWords } from './row.ts';
import { operationAction } from './table.ts';

// The actions that come from the configuration: own commands, and, without a key, the profiles.

type OwnCommandActions = {
	actions: readonly Action[];
	/** The commands whose key belongs to another action, with the name of that action. Only the palette runs them. */
	withoutKey: readonly { command: OwnCommand; action: string }[];
};

/** Adds an action for each own command. If its key is already bound, the earlier action keeps the key. */
export function withOwnCommands(
	builtIn: readonly Action[],
	commands: readonly OwnCommand[],
): OwnCommandActions {
	const actions = [...builtIn];
	const withoutKey: { command: OwnCommand; action: string }[] = [];
	for (const command of commands) {
		const { key, label } = command;
		const earlier = key === undefined ? undefined : actions.find(each => takesKey(each, key));
		if (earlier) withoutKey.push({ command, action: earlier.id });
		const keys = key === undefined || earlier ? [] : [key];
		actions.push(operationAction(ownCommandId(command), keys, label));
	}
	return { actions, withoutKey };
}

const takesKey = ({ keys, where }: Action, key: string) =>
	keys.includes(key) && (where.includes('everywhere') || worksIn({ where }, 'map'));

export const takenKeyText = ({
	command: { name, key = '' },
	action,
}: OwnCommandActions['withoutKey'][number]) =>
	`commands.${name}: the key ${key} belongs to ${action}, so the command has no key`;

export const accountActions = (choices: readonly AccountChoice[]): readonly Action[] =>
	choices.flatMap(({ name, isOpen, description }) => {
		const does = isOpen ? 'take it out of the table' : 'add it to the table';
		const help = `account ${name}: ${does} (${description})`;
		return at('fleet', 'Program', {
			[`account ${name}`]: ['', help, toggleAccount(name), liveOnly],
		});
	});

/** Returns an action for each of several accounts, so that a person can choose the one to sign out of. */
export const signOutActions = (profiles: readonly AccountProfile[]): readonly Action[] =>
	profiles.length < 2
		? []
		: profiles.flatMap(({ account, name }) =>
				at(viewPlaces, 'Program', {
					[`signOut ${name}`]: [
						'',
						`sign out of ${name}`,
						signOut(account),
						liveOnly,
						signOutWords,
					],
				}),
			);
