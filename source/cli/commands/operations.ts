import type { OperationId } from '../../fleet/operations/operation.ts';
import { operationIds, operationRowOf } from '../../fleet/operations/operation-table.ts';
import { operate, outcomeFields } from '../../script/operate.ts';
import type { Command, Option } from '../command.ts';
import { changingOptions, filterOption } from '../options.ts';

const portOption: Option = {
	name: 'port',
	valueName: 'PORT',
	help: 'port from 1 to 65535, instead of the last argument',
};

const waitOption: Option = {
	name: 'wait',
	help: 'wait until the operation has finished; without this, only until it is accepted',
};

const computerOptions = {
	description:
		'With several accounts, write the account in front of a computer: lab/atlas. A command works on one account.',
	argumentUsage: 'ID…',
	options: [filterOption],
};

type SubjectOptions = Pick<Command, 'argumentUsage' | 'aliases' | 'description' | 'options'>;

const optionsBySubject: Readonly<Record<'computer' | 'port' | 'account', SubjectOptions>> = {
	computer: computerOptions,
	port: { ...computerOptions, argumentUsage: 'ID… PORT', options: [portOption, filterOption] },
	account: {
		aliases: ['create'],
		description: '`create` is another name for this command.',
		options: [
			{ name: 'name', valueName: 'NAME', help: 'name of the new computer' },
			{ name: 'provider', valueName: 'PROVIDER', help: 'provider that runs it (opensandbox)' },
		],
	},
};

export function operationCommand(operation: OperationId): Command {
	const { commandName: name, help, subject, examples = [] } = operationRowOf(operation);
	const { options, ...details } = optionsBySubject[subject];
	return {
		name,
		summary: help,
		...details,
		options: [...options, waitOption, ...changingOptions],
		examples: examples.map(example => `crowsnest ${name} ${example}`.trim()),
		json: { form: 'array', fields: outcomeFields },
		run: (host, args) => operate(operation, host, args),
	};
}

/** In the order of the help: what is done to computers, then what makes and erases them. */
export const operationCommands: readonly Command[] = operationIds()
	.toSorted((a, b) => rankOf(a) - rankOf(b))
	.map(operationCommand);

function rankOf(operation: OperationId): number {
	const { subject, asks } = operationRowOf(operation);
	if (asks === 'type') return 3;
	return ['computer', 'port', 'account'].indexOf(subject);
}
