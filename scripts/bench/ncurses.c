// The same kind of screen in ncurses, as a measure for the benchmark: a header, and rows of a thousand computers with a
// cursor. `j` moves it, and Page Down shows the next page.
#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <time.h>

enum { computers = 1000 };
static int cursor = 0, top = 0;

static void draw(int lines) {
	char clock[16];
	time_t now = time(NULL);
	strftime(clock, sizeof clock, "%H:%M:%S", localtime(&now));
	mvprintw(0, 0, "%-100s%s", " 1 Fleet  2 Billing  3 Models  4 Versions  5 Log", clock);
	mvprintw(1, 0, "%-30s%-14s%-40s%6s%6s%10s", "   NAME", "STATUS", "STAGE", "CPU", "MEM", "VERSION");
	for (int y = 0; y < lines; y++) {
		int at = top + y;
		int is_under_cursor = at == cursor;
		if (is_under_cursor) attron(A_REVERSE);
		attron(COLOR_PAIR(at % 7 ? 1 : 2));
		mvprintw(2 + y, 0, " %s computer-%-18d%-14s%-40s%5d%%%5d%%%10s", is_under_cursor ? ">" : " ", at,
			at % 7 ? "Active" : "Error", at % 7 ? "" : "image pull failed: disk quota exceeded",
			at * 7 % 100, at * 13 % 100, "1.4.2");
		attroff(A_REVERSE | COLOR_PAIR(1) | COLOR_PAIR(2));
	}
	mvprintw(2 + lines, 0, " Enter open  / filter  Space mark  q quit");
	refresh();
}

int main(void) {
	setlocale(LC_ALL, "");
	initscr();
	start_color();
	init_pair(1, COLOR_GREEN, COLOR_BLACK);
	init_pair(2, COLOR_RED, COLOR_BLACK);
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	timeout(1000);
	for (int key = 0; key != 'q'; key = getch()) {
		int lines = LINES - 3;
		if (key == 'j' && cursor < computers - 1) cursor++;
		if (key == KEY_NPAGE) cursor += lines;
		if (cursor >= computers) cursor = computers - 1;
		if (cursor < top || cursor >= top + lines) top = key == 'j' ? cursor - lines + 1 : cursor;
		if (top > computers - lines) top = computers - lines;
		draw(lines);
	}
	endwin();
}
