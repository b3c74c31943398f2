import { CommandError, exitCodes, UsageError } from '../../foundation/error.ts';
import type { Failure } from '../../foundation/failure.ts';
import { type Line, line } from '../../lines/line.ts';
import type { Theme } from '../../lines/theme.ts';
import { errorFromFailure, errorText, jsonText, withAccount } from '../../script/command.ts';
import { accountsForWord } from '../../script/computer-words.ts';
import { terminalPreferencesFrom } from '../../script/display-options.ts';
import { findComputer } from '../../script/find-computers.ts';
import { type Fleet, withFleets } from '../../script/fleet.ts';
import { computerFields, computerRecord } from '../../script/json-records.ts';
import { printed, printerFor } from '../../script/print.ts';
import { usesKept } from '../../script/read-accounts.ts';
import { createRowMaker } from '../../store/selectors.ts';
import type { ComputerState } from '../../store/state.ts';
import { detail } from '../../views/detail.ts';
import { cannotReadRecordText } from '../../views/phrases/reads.ts';
import { printedScene, sceneOfComputer } from '../../views/printed-scene.ts';
import type { Command } from '../command.ts';
import { severalReadingOptions } from '../options.ts';

export const show: Command = {
	name: 'show',
	summary: 'show everything about a computer',
	argumentUsage: 'ID',
	description: 'With several accounts, the account may stand in front of the computer: lab/atlas.',
	options: severalReadingOptions,
	examples: ['crowsnest show atlas', 'crowsnest show atlas --json | jq -r .status'],
	json: { form: 'object', fields: computerFields, formForSeveral: 'object' },
	run(host, args) {
		const [word, ...extraWords] = args.positionals;
		if (word === undefined || extraWords.length > 0) {
			throw new UsageError('show takes one id or name');
		}
		const { accounts, computerWord } = accountsForWord(host, args, word);
		return withFleets(
			host,
			args,
			() => accounts,
			async fleets => {
				const { stdout, stderr } = host.program;
				const report = { stderr, isJson: args.flag('json') };
				const kept = new Set<Fleet>();
				let code: number = exitCodes.done;
				const keeps = (fleet: Fleet, error: CommandError) => {
					const isKept = usesKept(fleet, error, host.clock.now(), report);
					if (isKept) kept.add(fleet);
					return isKept;
				};
				const { fleet, computer: found } = await findComputer(
					fleets,
					computerWord,
					(each, error) => {
						code = exitCodes.partial;
						if (keeps(each, error)) return false;
						if (each.label) stderr.write(errorText(error, report.isJson, each.label));
						return true;
					},
				);
				if (!kept.has(fleet)) {
					const failure = await readAllDetails(fleet, found.id);
					const attempt = cannotReadRecordText(found.reading.name || found.id);
					if (failure) keeps(fleet, errorFromFailure(attempt, failure));
				}
				if (kept.has(fleet)) code = exitCodes.failed;
				const computer = fleet.accountNow().computers.get(found.id);
				if (!computer) throw new CommandError('missing', `${word} no longer exists`, '');
				const { publicAddress } = fleet.session.platform;
				const record = withAccount(
					computerRecord(computer, publicAddress, fleet.accountNow().listFields),
					fleet.label,
				);
				const printer = printerFor(host.program, terminalPreferencesFrom(args));
				const lines = computerLines(fleet, computer, host.clock.now(), printer.theme);
				stdout.write(args.flag('json') ? jsonText(record) : printed(lines, printer));
				return code;
			},
		);
	},
};

const accountReads = ['subscription', 'release'] as const;

async function readAllDetails(
	{ session, read, readStatus, readDetail }: Fleet,
	id: string,
): Promise<Failure | undefined> {
	// They only add details to the output, so they are read only if the limits allow both reads.
	const hasRoom = session.limiter.slots().other.free.read > accountReads.length;
	const reads = hasRoom ? accountReads.map(read) : [];
	const [status, detail] = await Promise.all([readStatus(id), readDetail(id), ...reads]);
	return [status, detail].find(failure => failure && failure.kind !== 'missing');
}

/** The detail as the monitor has it, but without the addresses that are shared with a token. */
function computerLines(
	{ session: { account, platform, profile }, accountNow, label }: Fleet,
	computer: ComputerState,
	now: number,
	theme: Theme,
): readonly Line[] {
	const state = accountNow();
	const ports = computer.reading.ports?.map(port => ({ ...port, shareToken: undefined }));
	const reading = ports ? { ...computer.reading, ports } : computer.reading;
	const width = Number.POSITIVE_INFINITY;
	const scene = sceneOfComputer(
		printedScene({ accounts: [{ profile, state }], now, theme, width }),
		createRowMaker(account, state)({ ...computer, reading }),
		platform,
	);
	const [left, right] = detail.title(scene);
	return [
		...(label === undefined ? [] : [line(['Account ', 'faint'], [label])]),
		line(...left, ...right),
		...detail.lines(scene),
	];
}
