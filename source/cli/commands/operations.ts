import type { OperationId } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { outcomeFields } from '../../script/follow-operations.ts';
import { operate } from '../../script/operate.ts';
import type { Command, Option } from '../../shell/command.ts';
import { changingOptions, filterOption } from '../../shell/options.ts';

// The commands for operations, such as `start` and `stop`, differ only in their help, arguments and options.

const portOption: Option = {
	name: 'port',
	valueName: 'PORT',
	help: 'port from 1 to 65535, instead of the last argument',
};

const waitOption: Option = {
	name: 'wait',
	help: 'wait until the operation has finished; without this, only until it is accepted',
};

type OperationCommandOptions = Pick<Command, 'argumentUsage' | 'aliases' | 'description'> & {
	options?: readonly Option[];
};

const accountDescription =
	'With several accounts, write the account in front of a computer: lab/atlas. A filter works on one account.';

export const computerArguments: OperationCommandOptions = {
	description: accountDescription,
	argumentUsage: 'ID…',
	options: [filterOption],
};
const portCommandOptions: OperationCommandOptions = {
	description: accountDescription,
	argumentUsage: 'ID… PORT',
	options: [portOption, filterOption],
};

/** Creates the subcommand of an operation. */
export function operationCommand(
	operation: OperationId,
	examples: readonly string[],
	{ options = [], ...details }: OperationCommandOptions,
): Command {
	const { commandName: name, help } = operationRowOf(operation);
	return {
		name,
		summary: help,
		...details,
		options: [...options, waitOption, ...changingOptions],
		examples: examples.map(example => `crowsnest ${name} ${example}`.trim()),
		json: { form: 'array', fields: outcomeFields, formForSeveral: 'array' },
		run: (host, args) => operate(operation, host, args),
	};
}

export const operationCommands: readonly Command[] = [
	operationCommand('start', ['atlas', 'atlas borealis --yes --wait'], computerArguments),
	operationCommand(
		'stop',
		['atlas', "--filter 'status:active name:test-' --yes"],
		computerArguments,
	),
	operationCommand('restart', ['atlas --yes --wait --timeout 120'], computerArguments),
	operationCommand('update', ["--filter 'version:<1.4' --yes"], computerArguments),
	operationCommand('publish', ['atlas 8080', 'atlas 8080 --yes --json'], portCommandOptions),
	operationCommand('unpublish', ['atlas 8080 --yes'], portCommandOptions),
	operationCommand('create', ['', '--name atlas --yes --wait', '--yes --json'], {
		aliases: ['create'],
		description: '`create` is another name for this command.',
		options: [
			{ name: 'name', valueName: 'NAME', help: 'name of the new computer' },
			{ name: 'provider', valueName: 'PROVIDER', help: 'provider that runs it (opensandbox)' },
		],
	}),
	operationCommand(
		'delete',
		['atlas', "--filter 'name:test- status:stopped' --yes"],
		computerArguments,
	),
];
