;;; The example project in Emacs with eglot: finding, hover, actions, the form, the finding gone.  -*- lexical-binding: t -*-
;; Started in the project by run.sh as  emacs --batch --no-init-file -l INIT -l reverify.el;  INIT is what docs/editors.md says.
(require 'cl-lib)
(require 'eglot)
(require 'flymake)

(defvar passed 0)

(defun ok (what)
  (setq passed (1+ passed))
  (princ (format "ok - %s\n" what)))

(defun holds (what text pattern)
  (unless (string-match-p pattern text) (error "%s: no %s in %s" what pattern text))
  (ok what))

(defun until (what predicate)
  "Wait until PREDICATE answers non-nil, and return that."
  (let ((end (+ (float-time) 20)) value)
    (while (and (not (setq value (funcall predicate))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or value (error "timeout: %s" what))))

(defun findings (codes)
  "Wait until the findings of the current buffer have CODES (a list of regular expressions of their texts)."
  (let (last)
    (condition-case nil
        (until "findings" (lambda ()
                            (flymake-start)
                            (setq last (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
                            (and (= (length last) (length codes))
                                 (cl-every #'string-match-p codes last)
                                 (or last t))))
      (error (error "expected findings %S, got %S" codes last)))))

(defun change (old new)
  (goto-char (point-min))
  (search-forward old)
  (replace-match new t t)
  (eglot--signal-textDocument/didChange))

(defun at (words)
  (goto-char (point-min))
  (search-forward words)
  (goto-char (match-beginning 0)))

(defun act (title)
  "Choose the code action that starts with TITLE; return the titles that were offered."
  (let (titles)
    (cl-letf (((symbol-function 'y-or-n-p) #'always) ; before an edit
              ((symbol-function 'completing-read)
               (lambda (_prompt table &rest _)
                 (setq titles (all-completions "" table))
                 (or (cl-find-if (lambda (one) (string-prefix-p title one)) titles)
                     (error "%s is not offered: %S" title titles)))))
      (let ((last-nonmenu-event t) (use-dialog-box nil))
        (eglot-code-actions (point) (point) nil t)))
    titles))

(defun scenario ()
  (find-file "payments/gateway.py")
  (apply #'eglot (eglot--guess-contact))
  (until "the server" #'eglot-current-server)
  (ok "the server is attached")
  (change "range(MAX_ATTEMPTS)" "range(MAX_ATTEMPTS + 2)")
  (holds "a finding on the name of what changed" (car (findings '("charge"))) "changed")
  (at "charge(self")
  (let ((place (car (flymake-diagnostics))))
    (unless (equal (list (flymake-diagnostic-beg place) (flymake-diagnostic-end place)) (list (point) (+ (point) 6)))
      (error "the finding is at %s-%s, not at %s" (flymake-diagnostic-beg place) (flymake-diagnostic-end place) (point))))
  (ok "at that name, in Emacs's own positions")
  (let (told)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq told text)))
    (holds "the hover tells the claim" (substring-no-properties (until "a hover" (lambda () told))) "at most three times"))
  (save-buffer)
  (holds "the actions are offered" (string-join (act "Still true, re-verify:") "\n") "No longer true, supersede:")
  (let ((record (until "the form" (lambda ()
                                    (cl-find-if (lambda (buffer)
                                                  (with-current-buffer buffer
                                                    (and (string-suffix-p ".md" (or buffer-file-name ""))
                                                         (string-match-p "<evidence:" (buffer-string)))))
                                                (buffer-list))))))
    (ok "the action fills the form in the record")
    (with-current-buffer record
      (goto-char (point-min))
      (re-search-forward "<evidence:[^>]*>")
      (replace-match "read the log of 12 June")
      (save-buffer)))
  (findings '())
  (ok "with evidence, and saved, the finding is gone"))

(let ((make-backup-files nil) (eglot-events-buffer-size 0) (inhibit-message t) (failed 0))
  (condition-case problem
      (scenario)
    (error (setq failed 1)
           (princ (format "not ok - %s\n" (error-message-string problem)))))
  (princ (format "%d passed, %d failed\n" passed failed))
  (ignore-errors (eglot-shutdown-all))
  (kill-emacs failed))
