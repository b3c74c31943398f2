import { setTimeout as sleep } from 'node:timers/promises';

/** Waits as a person who reads: nothing confirms what a real process shows before it has been on the screen for 300 ms. */
export const untilRead = () => sleep(400);
