// Package ledger keeps the books of the shop.
package ledger

import (
	"errors"
	"sync"
	"time"
)

// ErrUnbalanced says that debits and credits of an entry differ.
var ErrUnbalanced = errors.New("ledger: entry does not balance")

// Line is one side of an entry, in cents.
type Line struct {
	Account string
	Cents   int64
}

// Entry is one booking; its lines add up to zero.
type Entry struct {
	At    time.Time
	Lines []Line
}

// Ledger is an append-only list of entries.
type Ledger struct {
	mu      sync.Mutex
	entries []Entry
}

// Post appends an entry.
func (l *Ledger) Post(e Entry) error {
	var sum int64
	for _, line := range e.Lines {
		sum += line.Cents
	}
	if sum != 0 {
		return ErrUnbalanced
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, e)
	return nil
}

// Balance adds up one account.
func (l *Ledger) Balance(account string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	var cents int64
	for _, e := range l.entries {
		for _, line := range e.Lines {
			if line.Account == account {
				cents += line.Cents
			}
		}
	}
	return cents
}
