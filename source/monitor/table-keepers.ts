import { createSettingKeeper, type SettingKeeper } from '../accounts/live-settings.ts';
import type { Host } from '../session/host.ts';
import { logPath } from '../session/open-journal.ts';
import { createLineKeeper, type LineKeeper } from './line-persistence.ts';
import { createScreenKeeper, type ScreenKeeper } from './screen-persistence.ts';

/** The accounts of a table and their owners. For an account without an owner, such as the demo, nothing is saved. */
type TableParts = Pick<ReadonlyMap<unknown, { owner: string | undefined }>, 'values' | 'size'>;

/** Creates a keeper that saves the screen for the accounts in the table at the time of saving. */
export function createTableScreenKeeper(
	host: Host,
	parts: TableParts,
	onTrouble: (message: string) => void,
): ScreenKeeper {
	let opened: { account: string; keeper: ScreenKeeper } | undefined;

	/** Returns the keeper and what it has saved; undefined if nothing is saved for these accounts. */
	function open() {
		const owner = screenOwner([...parts.values()].flatMap(each => each.owner ?? []));
		if (owner === undefined) return undefined;
		if (opened?.account === owner) return { keeper: opened.keeper };
		const keeper = createScreenKeeper(logPath(host), owner, onTrouble);
		opened = { account: owner, keeper };
		// While a keeper restores, it notices if a newer version wrote its file, and then never writes that file.
		return { keeper, saved: keeper.restore() };
	}

	return {
		restore: () => open()?.saved ?? {},
		save: screen => open()?.keeper.save(screen),
	};
}

/**
 * Creates a keeper that saves typed lines for the accounts in the table at the time of saving. When the accounts
 * change, earlier lines stay with the accounts for which they were typed.
 */
export function createTableLineKeeper(
	host: Host,
	parts: TableParts,
	onTrouble: (message: string) => void,
): LineKeeper {
	const keeperNow = () => {
		const owner = screenOwner([...parts.values()].flatMap(each => each.owner ?? []));
		const account = owner ?? 'demo';
		return { account, keeper: createLineKeeper(logPath(host), account, onTrouble) };
	};
	let opened = keeperNow();

	return {
		restore: () => opened.keeper.restore(),
		save(lines) {
			// While the program ends, the table has no accounts, so the last accounts are used.
			const current = parts.size === 0 ? opened : keeperNow();
			opened.keeper.save(lines);
			if (current.account === opened.account) return;
			opened = current;
			opened.keeper.skip(lines);
		},
		skip: lines => opened.keeper.skip(lines),
	};
}

/**
 * Creates a keeper that saves chosen settings for the accounts in the table at the time of saving. Nothing is saved
 * for the demo.
 */
export function createTableSettingKeeper(host: Host, parts: TableParts): SettingKeeper {
	const keeperNow = () => {
		const owner = screenOwner([...parts.values()].flatMap(each => each.owner ?? []));
		return owner === undefined ? undefined : createSettingKeeper(logPath(host), owner);
	};
	return {
		restore: () => keeperNow()?.restore() ?? {},
		save: (name, kept) => keeperNow()?.save(name, kept),
	};
}

/** Returns the key of the saved screen. Several accounts together have a screen of their own. */
function screenOwner(owners: readonly string[]): string | undefined {
	return owners.length === 0 ? undefined : owners.toSorted().join(' ');
}
