import { createStore } from 'zustand/vanilla';
import type { PasswordRequest } from '../../source/accounts/password-request.ts';
import { refusedBecause } from '../../source/operations/question.ts';
import type { Question } from '../../source/operations/question-wording.ts';
import { joinPasswordRequests } from '../../source/session/sign-in-request.ts';
import { createDispatcher, effectOfPaste } from '../../source/views/actions/dispatcher.ts';
import { actions as allActions } from '../../source/views/actions/table.ts';
import { openDialogOf, placeOf } from '../../source/views/dialogs/dialog-table.ts';
import { initialScreen, type Screen } from '../../source/views/look/screen.ts';
import type { Action, ActionContext, Effect } from '../../source/views/scene.ts';
import { createHeldClock } from '../held-clock.ts';

type Options = {
	question?: Question;
	passwordRequest?: PasswordRequest;
	screen?: Partial<Screen>;
	actions?: readonly Action[];
};

/** Opens a dialog, and presses keys in it through the table of actions. */
export function openDialog(options: Options) {
	const { actions = allActions, passwordRequest: request } = options;
	const passwordRequest = joinPasswordRequests({
		all: () => [{ passwordRequest: request }],
		follow: () => () => {},
	});
	const clock = createHeldClock();
	const screenStore = createStore<Screen>(() => ({ ...initialScreen(), ...options.screen }));
	const notices: unknown[] = [];
	const copied: string[] = [];
	const answered: Question[] = [];
	let isKeyAlone = true;
	let { question } = options;
	const dialog = () =>
		openDialogOf(screenStore.getState(), {
			operations: { question },
			passwordPrompt: passwordRequest.prompt(),
		});
	const operations = {
		answer(complete: Question) {
			answered.push(complete);
			question = undefined;
			return { type: 'begun', operations: [], ids: [] };
		},
		ask: () => refusedBecause('closing', ''),
		closeQuestion() {
			question = undefined;
		},
	};
	const parts = {
		screenStore,
		openDialog: dialog,
		sessions: { operations },
		passwordRequest,
		actions: () => actions,
		terminal: {
			copyToClipboard(text: string) {
				copied.push(text);
				return true;
			},
			isKeyAlone: () => isKeyAlone,
		},
		clock,
		say: (notice: unknown) => notices.push(notice),
	};
	const dispatch = createDispatcher(actions);

	function perform(effect: Effect | undefined, key: string) {
		effect?.run({ ...parts, key } as unknown as ActionContext);
	}

	function press(...keys: readonly string[]) {
		for (const each of keys) {
			const key = each === ' ' ? 'space' : each;
			perform(dispatch(key, placeOf(dialog(), screenStore.getState())), key);
		}
	}

	/**
	 * Notes that the terminal shows the dialog, possibly without the text that a person must read before answering.
	 */
	function show(isCut = false) {
		const entry = dialog()?.entry;
		if (!entry) return;
		const { id, answers } = entry;
		screenStore.setState({
			seenDialog: { id, step: answers.length, visibleSince: clock.now(), isCut },
		});
	}

	return {
		clock,
		screenStore,
		notices,
		copied,
		answered,
		dialog,
		show,
		/** Presses keys that arrive in one read. */
		pressTogether(...keys: readonly string[]) {
			isKeyAlone = false;
			press(...keys);
			isKeyAlone = true;
		},
		/** Presses keys one after another. A single space is the space bar. */
		press,
		paste: (text: string) =>
			perform(effectOfPaste(text, placeOf(dialog(), screenStore.getState())), ''),
		/** The typed line. */
		typed: () => dialog()?.entry.line.text,
		/** The open question, with its answers, and the reason why the last answer was refused. */
		questionNow() {
			const open = dialog();
			return open?.kind === 'question' ? { ...open.question, ...open.entry } : undefined;
		},
	};
}

/** Opens a question that a person has been able to see for a second. */
export function openQuestion(question: Question, options: Omit<Options, 'question'> = {}) {
	const opened = openDialog({ ...options, question });
	opened.show();
	opened.clock.move(1_000);
	return opened;
}
