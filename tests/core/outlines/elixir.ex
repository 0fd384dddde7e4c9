defmodule Shop.Cart do
  @moduledoc """
  A cart.
  """
  use GenServer
  @limit 10
  defstruct [:a, b: 1]
  @typedoc "x"
  @type t :: %{a: integer}
  @doc "Total"
  @spec total(list, integer) :: integer
  def total([], _rate), do: 0
  def total(lines, rate) when rate > 0 do
    @limit
  end
  defp helper(x \\ 1), do: x
  defmacro m(x) do quote do unquote(x) end end
  defmodule Inner do
    def z, do: 1
  end
  @impl true
  def handle_call(:x, _, s) do
    {:reply, 1, s}
  end
  defguard is_x(a) when a == 1
  defdelegate foo(a), to: Bar
  def a + b, do: 1
  test "adds", %{a: a} do
    assert 1
  end
  @callback run(x) :: integer
  def unquote(name)(x), do: 1
end
defprotocol P do
  def f(x)
end
defimpl P, for: Integer do
  def f(x), do: x
end
