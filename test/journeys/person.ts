import type { Monitor } from '../driver/monitor.ts';

type Stage = Pick<Monitor, 'answer' | 'goTo' | 'unseen' | 'deeds'>;

export const answer = (stage: Stage, ...keys: readonly string[]) => stage.answer(...keys);
export const goTo = (stage: Stage, name: string) => stage.goTo(name);
export const unseen = (stage: Stage, text: string) => stage.unseen(text);
export const deedsOf = (stage: Stage) => stage.deeds();
