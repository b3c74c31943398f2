/**
 * Why countdowns are not in sight: none of them runs meanwhile. While a person is asked whether to quit,
 * what waits in the queue is held as well.
 */
export type Held = 'dialog' | 'quit' | 'suspended' | 'too small';
