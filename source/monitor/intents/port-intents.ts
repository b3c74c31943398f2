import { type GlobalId, splitGlobalId } from '../../fleet/computers/global-id.ts';
import { allowanceInPhase } from '../../fleet/operations/operation-table.ts';
import { chosenChoiceOf } from '../../screen/choice.ts';
import { withDetailShown } from '../../screen/open-choice.ts';
import { cursorIndex, type Screen } from '../../screen/screen.ts';
import { lastPublishedPortOf } from '../../store/change-log.ts';
import { accountOfRow } from '../../store/opened-accounts.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { HandlerDeps, IntentHandlers } from './intent-handlers.ts';

const noPortText = 'No published port';

/** Copies a text to the clipboard, and returns a notice that says whether the copy worked. */
export const copyAndDescribe = (
	terminal: Pick<Terminal, 'copyToClipboard'>,
	text: string,
	description = text,
) =>
	terminal.copyToClipboard(text)
		? `Copied ${description}`
		: 'This terminal has no clipboard access';

/** Says that a computer has no port. The key that publishes one is named only where that key works. */
function noPortTextFor(id: GlobalId, { sessions, operations, computerOf }: HandlerDeps): string {
	const phase = computerOf(id)?.phase ?? 'unknown';
	const { profile } = sessions.sessionOf(splitGlobalId(id).account);
	const mayPublish = !profile.isReadOnly && !operations.state().isLocked;
	const isAllowed = mayPublish && allowanceInPhase('publish', phase).isAllowed;
	return isAllowed ? `${noPortText}: p publishes one` : noPortText;
}

/** Creates the handlers of the intents that copy ids and addresses, and that check published ports. */
export function createPortIntents(deps: HandlerDeps): Pick<IntentHandlers, 'copy' | 'checkPorts'> {
	const { screenStore, sessions, operations, accountsNow, computerOf, terminal, say } = deps;
	const portsOf = (id: GlobalId | undefined) => computerOf(id)?.reading.ports ?? [];

	function copyPayment({ payment }: Screen) {
		if (payment?.state !== 'open') return say('No payment page yet: o opens one');
		say(copyAndDescribe(terminal, payment.url, 'the address of the payment page'));
	}

	function copyAddress(globalId: GlobalId) {
		const { account, id } = splitGlobalId(globalId);
		const ports = portsOf(globalId);
		const { platform } = sessions.sessionOf(account);
		const state = accountOfRow(accountsNow(), { account })?.state;
		const latestPort = state && lastPublishedPortOf(state, id);
		const port = ports.find(publishedPort => publishedPort.port === latestPort) ?? ports[0];
		say(
			port
				? copyAndDescribe(terminal, port.url ?? platform.publicAddress(id, port.port))
				: noPortTextFor(globalId, deps),
		);
	}

	return {
		copy({ content, targets }, screen, { ids, choiceList }) {
			if (content === 'line') {
				const chosen = chosenChoiceOf(screen, choiceList?.());
				return chosen && say(copyAndDescribe(terminal, chosen.id));
			}
			if (content === 'payment') return copyPayment(screen);
			const [id] = targets ?? idsUnderCursor(screen, ids);
			if (id === undefined) return;
			if (content === 'address') copyAddress(id);
			else say(copyAndDescribe(terminal, splitGlobalId(id).id));
		},
		checkPorts({ targets }, screen, shown) {
			const [id] = targets ?? idsUnderCursor(screen, shown.ids);
			const ports = portsOf(id);
			if (id === undefined) return say(noPortText);
			if (ports.length === 0) return say(noPortTextFor(id, deps));
			const { profile } = sessions.sessionOf(splitGlobalId(id).account);
			if (profile.isReadOnly || operations.state().isLocked) {
				return say(
					'Not checked: a check can wake a computer, which is refused while locked or read-only',
				);
			}
			for (const { port } of ports) operations.checkPort(id, port);
			const opened = { ...screen, isDetailOpen: true };
			screenStore.setState(targets ? withDetailShown(screen, id, shown) : opened, true);
		},
	};
}

const idsUnderCursor = (screen: Screen, ids: readonly GlobalId[]) => [
	ids[cursorIndex(screen, ids)],
];
