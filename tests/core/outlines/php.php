<?php

namespace App\Shop;

const LIMIT = 10, OTHER = 2;
define('RATE', 7);
$global = 1;

abstract class Cart extends Store
{
    use Counts;
    public const MAX = 5, MIN = 1;
    private ?array $lines = [], $rest;
    public static int $count = 0;
    public function __construct(private int $limit) {}
    public static function total(array $lines): int { return 1; }
    abstract protected function text(): string;
}

interface Priced
{
    const TAX = 1;
    public function price(): int;
}

trait Counts
{
    public function size(): int { return 1; }
}

enum Suit: string
{
    case Hearts = 'H';
    case Spades = 'S';
    const Wild = self::Spades;
    public function label(): string { return ''; }
}

function greet($name)
{
    return $name;
}

if (!function_exists('later')) {
    function later() {}
}
