import { omittedPortCount } from '../../fleet/computers/computer.ts';
import { readNames } from '../../script/complete-readings.ts';
import { type Fleet, withFleet } from '../../script/fleet.ts';
import { computerFields, computerRecord } from '../../script/json-records.ts';
import { plainContext } from '../../script/plain-list.ts';
import { labelledLines, plainValues } from '../../script/plain-sections.ts';
import { computersNamed } from '../../script/select-computers.ts';
import type { Host } from '../../session/host.ts';
import { type Command, exitCodes } from '../../shell/command.ts';
import { CommandError, UsageError } from '../../shell/errors.ts';
import { readingOptions } from '../../shell/options.ts';
import type { AccountState, ComputerState } from '../../store/state.ts';
import { environmentFrom } from '../../terminal/features/environment.ts';
import { detailValues } from '../../wording/views/detail-values.ts';
import { omittedPortsText } from '../../wording/views/ports-table.ts';

export const show: Command = {
	name: 'show',
	summary: 'show everything about a computer',
	argumentUsage: 'ID',
	options: readingOptions,
	examples: ['crowsnest show atlas', 'crowsnest show atlas --json | jq -r .status'],
	json: { form: 'object', fields: computerFields },
	run: (host, args) =>
		withFleet(host, args, async fleet => {
			const { accountNow, readOrThrow, session } = fleet;
			const [word, ...extraWords] = args.positionals;
			if (word === undefined || extraWords.length > 0) {
				throw new UsageError('show takes one id or name');
			}
			await readOrThrow('list');
			await readNames(fleet, [word]);
			const [found] = computersNamed(accountNow(), [word]);
			const computer = found && (await readAllDetails(fleet, found.id));
			if (!computer) throw new CommandError('missing', `${word} no longer exists`, '');
			const { publicAddress } = session.platform;
			const text = args.flag('json')
				? `${JSON.stringify(computerRecord(computer, publicAddress), undefined, 2)}\n`
				: computerText(host, accountNow(), computer, publicAddress);
			host.program.stdout.write(text);
			return exitCodes.done;
		}),
};

const accountReads = ['subscription', 'release'] as const;

async function readAllDetails(
	{ session, read, readStatus, readDetail, accountNow }: Fleet,
	id: string,
): Promise<ComputerState | undefined> {
	// The subscription and the latest version only add details to the output, so they are read only if the
	// budget allows both reads.
	const hasBudget = session.pace.budgets().other.requestsLeft.read > accountReads.length;
	await Promise.all([readStatus(id), readDetail(id), ...(hasBudget ? accountReads.map(read) : [])]);
	return accountNow().computers.get(id);
}

function computerText(
	{ program, clock }: Host,
	account: AccountState,
	computer: ComputerState,
	publicAddress: (id: string, port: number) => string,
): string {
	const { id, reading } = computer;
	const { hasUnicode } = environmentFrom(program.env);
	const omitted = omittedPortCount(reading);
	const context = plainContext(account, clock.now(), hasUnicode);
	const usage = [
		['CPU', reading.cpu],
		['Memory', reading.memory],
		['Storage', reading.storage],
	] as const;
	const stage = [reading.stage, reading.stageMessage, reading.error].filter(Boolean).join(', ');
	return labelledLines([
		['Name', reading.name ?? ''],
		['Id', id],
		...plainValues(detailValues(account, computer, context)),
		['Stage', stage],
		...usage.map(([label, value]) => [label, value == null ? '' : `${value} %`] as const),
		...(reading.ports ?? []).map(
			({ port, url }) => ['Published', `${port}  ${url ?? publicAddress(id, port)}`] as const,
		),
		['Published', omitted > 0 ? omittedPortsText(omitted) : ''],
	]);
}
